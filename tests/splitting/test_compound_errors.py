"""Compounds translated right or wrong: known answers, a plain count, a paired test, real treebanks."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from kontrast.cli import kontrast
from kontrast.errors import InputError, KontrastError
from kontrast.language.alignment import Links
from kontrast.splitting.compound_errors import CompoundErrors, compound_errors, corpus_links
from kontrast.splitting.corpus_counts import CorpusCounts
from kontrast.splitting.count_corpus import count
from kontrast.splitting.generalisation import SystemOutput, generalise_by_length
from kontrast.splitting.split_corpus import split
from kontrast.splitting.split_files import save_split

ADJECTIVES = {"big": "groß", "red": "rot", "old": "alt", "new": "neu", "hot": "heiß", "wet": "nass"}
NOUNS = {"dog": "Hund", "cat": "Kater", "car": "Wagen", "tree": "Baum", "door": "Flur", "king": "König"}


class Made:
    """A corpus of adjective and noun in every combination, each several times, with its exact alignment."""

    def __init__(self, folder: Path) -> None:
        pairs = [(a, n) for a in ADJECTIVES for n in NOUNS] * 4
        blocks = [
            f"# text = {a} {n} runs\n1\t{a}\t{a}\tADJ\t_\t_\t2\tamod\t_\t_\n2\t{n}\t{n}\tNOUN\t_\t_\t3\tnsubj\t_\t_\n"
            "3\truns\trun\tVERB\t_\t_\t0\troot\t_\t_\n"
            for a, n in pairs
        ]
        self.source = folder / "made.conllu"
        self.source.write_text("\n".join(blocks), encoding="utf-8")
        self.counts: CorpusCounts = count(self.source, folder / "counts")
        self.references = [f"{ADJECTIVES[a]} {NOUNS[n]} läuft" for a, n in pairs]
        self.links: list[Links] = [frozenset({(0, 0), (1, 1), (2, 2)})] * len(pairs)
        (self.split,) = split(self.counts, compound=0.6, together="duplicates", discard=0.0, length_ratio="open")
        self.test = [self.references[i] for i in self.split.test]

    def judge(self, **outputs: list[str]) -> CompoundErrors:
        return compound_errors(self.counts, self.split, self.source, self.references, self.links, outputs)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    return Made(tmp_path_factory.mktemp("made"))


def test_references_are_right_and_nothing_is_wrong(made: Made) -> None:
    result = made.judge(references=made.test, empty=[""] * len(made.test))
    right, wrong = result.systems
    assert (right.seen.error_rate, right.unseen.error_rate) == (0, 0)
    assert (wrong.seen.error_rate, wrong.unseen.error_rate) == (1, 1)
    assert wrong.unseen_types_error_rate == 1
    assert result.undecided == 0
    assert right.unseen.compounds > 0
    assert right.seen.compounds > 0
    (pair,) = result.comparisons
    assert pair.difference == -1
    assert pair.p < 0.01


def test_a_system_that_fails_on_new_pairs_only(made: Made) -> None:
    """It has the adjective wrong where train never had the pair: unseen amod all wrong, all else right."""
    place = np.full(made.counts.sentences, 2, np.int8)
    place[made.split.train] = 0
    seen = dict(zip(made.counts.compounds.names, made.counts.compounds.sides(place)[:, 0] > 0, strict=True))
    english = [s.split("\n")[0].split()[3:5] for s in made.source.read_text().split("\n\n")]
    output = []
    for i, line in zip(made.split.test.tolist(), made.test, strict=True):
        adjective, noun = english[i]
        output.append(line if seen[f"{noun}\tamod\t{adjective}"] else line.replace(ADJECTIVES[adjective], "egal"))
    result = made.judge(system=output, references=made.test)
    rates = {(r.by, r.group, r.seen): r for r in result.systems[0].rates}
    assert rates["relation", "amod", False].error_rate == 1
    assert rates["relation", "nsubj", True].error_rate == 0
    assert ("relation", "nsubj", False) not in rates
    assert rates["distance", "1", False].error_rate == 1
    assert rates["frequency", "0", False].compounds == result.systems[0].unseen.compounds
    assert result.systems[0].seen.error_rate == 0
    assert result.systems[0].difference_low > 0.9
    assert result.comparisons[0].difference == 1


def test_two_equal_systems_do_not_differ(made: Made) -> None:
    half = [line if i % 2 else "nichts" for i, line in enumerate(made.test)]
    result = made.judge(one=half, other=list(half))
    assert result.comparisons[0].difference == 0
    assert result.comparisons[0].p == 1


def test_a_dictionary_accepts_other_translations(made: Made) -> None:
    """The reference says Hund once where all others say Köter; the system says Köter."""
    references = [line.replace("Hund", "Köter") for line in made.references]
    dog = next(i for i in made.split.test.tolist() if "Hund" in made.references[i])
    references[dog] = made.references[dog]
    output = [references[i].replace("Hund", "Köter") for i in made.split.test]
    arguments = (made.counts, made.split, made.source, references, made.links, {"s": output})
    assert compound_errors(*arguments).systems[0].seen.right < compound_errors(
        *arguments, dictionary=True
    ).systems[0].seen.right  # fmt: skip


def test_words_that_are_not_aligned_are_counted_apart(made: Made) -> None:
    links = [frozenset({(1, 1), (2, 2)})] * len(made.links)
    result = compound_errors(made.counts, made.split, made.source, made.references, links, {"r": made.test})
    assert result.undecided == len(made.test)
    assert {rate.group for rate in result.systems[0].rates if rate.by == "relation"} == {"nsubj"}
    with pytest.raises(KontrastError, match="no compound of the test side has both of its words aligned"):
        compound_errors(
            made.counts, made.split, made.source, made.references, [frozenset()] * len(links), {"r": made.test}
        )


def test_what_does_not_fit_is_one_line(made: Made) -> None:
    with pytest.raises(InputError, match=r"short: has 1 lines, but the test side has \d+"):
        made.judge(short=["x"])
    with pytest.raises(KontrastError, match="1 references for a corpus of 144"):
        compound_errors(made.counts, made.split, made.source, ["x"], made.links, {"r": made.test})


def test_command_on_parallel_treebanks(pud: CorpusCounts, data: Path, tmp_path: Path) -> None:
    """Real text, a real aligner: references right everywhere, the source text mostly wrong."""
    source, target = (data / "ud" / f"{lang}_pud-ud-test.conllu" for lang in ("en", "de"))
    count(source, tmp_path / "counts")
    (result,) = split(pud, effort="fast")
    save_split(result, tmp_path / "split")
    from kontrast.splitting.corpus_reader import corpus_texts

    for name, path in (("right.de", target), ("english", source)):
        texts = corpus_texts(path)
        (tmp_path / name).write_text("".join(f"{texts[i]}\n" for i in result.test), encoding="utf-8")
    done = CliRunner().invoke(
        kontrast,
        ["generalise", "--compounds", str(tmp_path / "split"), "--counts", str(tmp_path / "counts"), "--corpus",
         str(source), "--translation", str(target), "--output", str(tmp_path / "right.de"), "--output",
         str(tmp_path / "english"), "--json"],
        catch_exceptions=False,
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    assert "an aligner trained on 1000 pairs" in done.stderr
    found = json.loads(done.stdout)
    assert found["systems"][0]["unseen"]["error_rate"] == 0
    assert found["systems"][1]["unseen"]["error_rate"] > 0.9
    assert found["undecided"] < found["compounds"]


def test_links_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "links").write_text("0-0 1-1\n\n")
    assert corpus_links(["a b", "c"], ["x y", "z"], tmp_path / "links") == [{(0, 0), (1, 1)}, frozenset()]
    with pytest.raises(InputError, match="a line of links for every sentence pair"):
        corpus_links(["a", "b", "c"], ["x", "y", "z"], tmp_path / "links")


def test_scores_by_length() -> None:
    short = tuple(f"a cat sat {i}" for i in range(30))
    long = tuple(f"the old cat that sat on the mat saw number {i} of the rats" for i in range(30))
    worse = tuple(line.replace("cat", "dog").replace("mat", "rug").replace("rats", "mice") for line in long)
    runs = [SystemOutput(0.0, short + long, short + long), SystemOutput(1.0, short + worse, short + long)]
    first, second = generalise_by_length(runs, resamples=50)
    assert (first.shortest, first.longest, first.sentences) == (1, 9, (30, 30))
    assert first.result.score == pytest.approx(1)
    assert second.result.score < 0.9
    with pytest.raises(KontrastError, match="no range of lengths"):
        generalise_by_length(runs, least=100)
