"""A language that declares nothing: what its trees show of subjects, order and elision, and what that leaves out."""

from __future__ import annotations

from pathlib import Path

import pytest

from kontrast.building.agreement.build import build_agreement
from kontrast.building.agreement.targets import parallel_trees
from kontrast.building.agreement.traps import genitive_first, habits
from kontrast.errors import InputError
from kontrast.io.conllu import read_blocks

VERB = "Mood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin"


def _bank(folder: Path, *sentences: str) -> Path:
    blocks = []
    for number, sentence in enumerate(sentences, start=1):
        rows = [line.split() for line in sentence.split(" / ")]
        words = [f"{i}\t{f}\t{l}\t{p}\t_\t{x}\t{h}\t{r}\t_\t_" for i, (f, l, p, x, h, r) in enumerate(rows, 1)]  # noqa: E741
        text = " ".join(row[0] for row in rows)
        blocks.append(f"# sent_id = {number}\n# text = {text}\n" + "\n".join(words) + "\n")
    path = folder / "xx.conllu"
    path.write_text("\n".join(blocks) + "\n")
    return path


NAMED = f"Lom lom NOUN Number=Sing 2 nsubj / sana san VERB {VERB} 0 root"
BEHIND = f"sana san VERB {VERB} 0 root / lom lom NOUN Number=Sing 1 nsubj"
UNNAMED = f"sana san VERB {VERB} 0 root"
OF_THEM = "lomo lom NOUN Case=Gen|Number=Sing 2 nmod:poss / om om NOUN Number=Sing 0 root"
ELIDED = "l' la DET Number=Sing 2 det / om om NOUN Number=Sing 0 root"


@pytest.mark.parametrize(
    ("sentences", "found"),
    [
        ([NAMED] * 10, set()),
        ([NAMED] * 9 + [UNNAMED], {"pro_drop"}),
        ([NAMED] * 8 + [BEHIND] * 2, {"unnamed_plural", "free_order"}),
        ([NAMED] * 10 + [OF_THEM], {"genitive_first"}),
        ([NAMED] * 10 + [ELIDED], {"elision"}),
    ],
)
def test_habits(tmp_path: Path, sentences: list[str], found: set[str]) -> None:
    path = _bank(tmp_path, *sentences)
    trees = [tree for _, tree in parallel_trees(path, path, read_blocks(path))]
    shown = {**habits(trees), "genitive_first": genitive_first(trees)}
    assert {habit for habit, is_so in shown.items() if is_so} == found


def test_a_noun_with_a_plural_beside_it_may_be_a_quantity(tmp_path: Path) -> None:
    """*a group of men sings*: with no words of quantity declared, the plural is not called wrong."""
    sentence = f"Grup grup NOUN Number=Sing 3 nsubj / {{}} om NOUN Number={{}} 1 nmod / sana san VERB {VERB} 0 root"
    more = f"Loms lom NOUN Number=Plur 2 nsubj / sanan san VERB {VERB.replace('Sing', 'Plur')} 0 root"

    def wrong(*sentences: str) -> tuple[set[str], dict[str, int]]:
        path = _bank(tmp_path, *sentences)
        made = build_agreement(path, path, "en-xx")
        return {str(v.tags["wrong"]) for i in made.suite.items if i.id == "1" for v in i.variants[1:]}, made.left_out

    assert wrong(sentence.format("om", "Sing"), more)[0] == {"sanan"}
    found, left_out = wrong(sentence.format("oms", "Plur"), more)
    assert not found and left_out["may be a quantity"] == 1


def test_a_sentence_id_stands_once(tmp_path: Path) -> None:
    block = "# sent_id = a\n1\tOm\tom\tNOUN\t_\tNumber=Sing\t0\troot\t_\t_\n\n"
    once, twice = tmp_path / "once.conllu", tmp_path / "twice.conllu"
    once.write_text(block)
    twice.write_text(block * 2)
    assert len(list(parallel_trees(once, once, read_blocks(once)))) == 1
    for source, target in ((once, twice), (twice, once)):
        with pytest.raises(InputError, match=r"twice\.conllu: expected each sentence id once, found a again"):
            list(parallel_trees(source, target, read_blocks(target)))
