"""What a reader says of the German errors: draw candidates, read them, keep the verdicts, report the shares.

    python benchmarks/perturb_read.py auxiliary --part tuning --seed 1 -n 60        # print candidates to read
    python benchmarks/perturb_read.py auxiliary --part tuning --seed 1 -n 60 --record VERDICTS --rest-yes
    python benchmarks/perturb_read.py --report [--json | --markdown]

Candidates come from news, subtitles and encyclopaedic text in equal parts, one per sentence as without ``--all``.
Sentences are split into halves by their source: rules are mended on readings of the half ``tuning`` only, and the
share that counts is read on the half ``fresh`` afterwards. A sentence with a verdict of the type is not drawn again.

VERDICTS has a line ``HASH no|doubtful|yes REASON`` for each candidate; with ``--rest-yes`` those not named were read
and accepted. ``benchmarks/readings/TYPE.tsv`` keeps them without the texts, which are not ours: seed, corpus, line,
hash of the candidate, verdict, reason.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Iterator
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from kontrast.building.perturb import NAMES, Candidate, Perturbation, get
from kontrast.building.perturb.run import candidates_of, choose, usable
from kontrast.io.files import read_lines
from kontrast.judging.intervals import wilson
from kontrast.language import annotators
from kontrast.language.annotation import Sentence
from kontrast.language.annotators.conllu import read_conllu
from kontrast.reporting.terminal import print_json, print_table

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
READINGS = Path(__file__).resolve().parent / "readings"
PARTS = ("tuning", "fresh")
BAR = 0.9
TYPES = (*NAMES["de"], *(f"fr.{name}" for name in NAMES["fr"]))
"""German errors by their names, French ones with fr. before it."""


class Line(NamedTuple):
    """A German sentence: where it is, and the source that decides on its half."""

    corpus: str
    line: int
    text: str
    source: str

    @property
    def part(self) -> str:
        return PARTS[int(digest(self.source), 16) % 2]


class Verdict(NamedTuple):
    seed: int
    corpus: str
    line: int
    hash: str
    verdict: str
    reason: str


class Drawn(NamedTuple):
    where: Line
    candidate: Candidate

    @property
    def hash(self) -> str:
        return digest(self.candidate.text)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("type", nargs="?", choices=TYPES)
    parser.add_argument("--part", choices=PARTS, default="tuning")
    parser.add_argument("--seed", type=int, default=1, help="another number draws other sentences")
    parser.add_argument("-n", type=int, default=60)
    parser.add_argument("--record", type=Path, help="keep the verdicts of this file for the same draw")
    parser.add_argument(
        "--rest-yes", action="store_true", help="candidates that VERDICTS does not name were accepted"
    )
    parser.add_argument("--report", action="store_true")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--markdown", action="store_true", help="the rows of the fresh half, for docs/errors-read.md")
    parser.add_argument("--data", type=Path, default=DATA)
    args = parser.parse_args()
    if args.report:
        rows = report(args.data, args.type)
        if args.json:
            print_json(rows)
        elif args.markdown:
            print_markdown(rows)
        else:
            print_table(list(rows[0]) if rows else ["type"], [list(row.values()) for row in rows])
    elif not args.type:
        parser.error("which type?")
    else:
        drawn = draw(args.data, args.type, args.part, args.seed, args.n)
        if args.record:
            record(args.type, args.seed, drawn, args.record, args.rest_yes)
        else:
            for n, one in enumerate(drawn, 1):
                print(f"{n:3} {one.hash} {one.where.corpus.split('.')[0]:8} {marked(one)}")


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def marked(drawn: Drawn) -> str:
    """The sentence with each edit as [old→new]; what is inserted or deleted has an empty side."""
    text, parts, cursor = drawn.where.text, "", 0
    for edit in drawn.candidate.edits:
        parts += f"{text[cursor : edit.start]}[{edit.old}→{edit.new}]"
        cursor = edit.end
    return parts + text[cursor:]


def language(name: str) -> str:
    return "fr" if name.startswith("fr.") else "de"


def perturbation(name: str) -> Perturbation:
    return get(language(name), name.removeprefix("fr."))


@cache
def corpora(data: Path, code: str) -> dict[str, list[Line]]:
    """The sentences of each kind of text, each source once; of several references one, chosen by the source."""
    kinds: dict[str, list[Line]] = {}
    seen: set[str] = set()
    german = (("news", _news(data)), ("subtitles", _subtitles(data)), ("wiki", _wiki(data)))
    for kind, found in german if code == "de" else (("subtitles", _french(data)), ("wiki", _wiki(data, "fr"))):
        kept = kinds.setdefault(kind, [])
        for line in found:
            if line.source not in seen and line.text.strip() and usable(line.text):
                seen.add(line.source)
                kept.append(line)
    return kinds


def _news(data: Path) -> Iterator[Line]:
    folder = data / "pro-mistranslations-en-de"
    for name, references in (
        ("newstest2021.en-de", "ref-A ref-B ref-C ref-D"),
        ("generaltest2022.en-de", "refA refB"),
    ):
        texts = [(r, read_lines(folder / "references" / f"{name}.ref.{r}.de")) for r in references.split()]
        for i, source in enumerate(read_lines(folder / "sources" / f"{name}.src.en")):
            reference, lines = texts[int(digest(source), 16) // 2 % len(texts)]
            yield Line(f"{name.split('.')[0]}.{reference}", i + 1, lines[i], source)
    for path in sorted((data / "distil-lingeval-en-de").glob("*.human")):
        if path.name == "hypercorrect_genitive.human":
            continue  # of all kinds, not news
        pairs = zip(read_lines(path / "src.en"), read_lines(path / "tgt.correct.de"), strict=True)
        for i, (source, text) in enumerate(pairs):
            yield Line(f"distil.{path.name}", i + 1, text, source)


def _subtitles(data: Path) -> Iterator[Line]:
    folder = data / "contrapro-en-de"
    rows, sources = (read_lines(folder / f"rows.context1.{x}") for x in ("de", "en"))
    for start in map(int, read_lines(folder / "group_starts.txt")[:-1]):
        yield Line("contrapro", start + 1, _sentence(rows[start]), _sentence(sources[start]))
    for name in ("auxiliary", "mini.formality"):
        items = json.loads((data / "ctxpro" / f"{name}.opensubtitles.en-de.test.json").read_text(encoding="utf-8"))
        for i, item in enumerate(items):
            yield Line(f"ctxpro.{name}", i + 1, item["ref segment"], item["src segment"].lower())


def _sentence(row: str) -> str:
    return row.split("<SEP>")[-1].strip()


def _french(data: Path) -> Iterator[Line]:
    folder = data / "large-contrastive-en-fr"
    sources, rows = (read_lines(folder / f"OpenSubs.current.{x}") for x in ("src", "trg"))
    for i in range(0, len(rows), 2):
        yield Line("large-en-fr", i + 1, rows[i], sources[i])


def _wiki(data: Path, code: str = "de") -> Iterator[Line]:
    for name in ("pud-ud-test", "gsd-ud-dev", "gsd-ud-test"):
        for i, sentence in enumerate(read_conllu(data / "ud" / f"{code}_{name}.conllu")):
            yield Line(name.replace("-ud-", "."), i + 1, sentence.text, sentence.text)


def draw(data: Path, name: str, part: str, seed: int, n: int) -> list[Drawn]:
    """Candidates of unread sentences, as many of each kind of text; where one runs out, more of the others."""
    read = {(v.corpus, v.line) for v in readings_of(name) if v.seed != seed}
    queues = {}
    for kind, lines in corpora(data, language(name)).items():
        unread = [x for x in lines if x.part == part and (x.corpus, x.line) not in read]
        queues[kind] = _candidates(name, sorted(unread, key=lambda x: digest(f"{seed} {x.source}")), seed)
    found: list[tuple[str, Drawn]] = []
    while queues and len(found) < n:
        for kind, queue in list(queues.items()):
            one = next(queue, None)
            if one is None:
                del queues[kind]
            elif len(found) < n:
                found.append((kind, one))
    return [one for _, one in sorted(found, key=lambda pair: pair[0])]


def _candidates(name: str, lines: list[Line], seed: int) -> Iterator[Drawn]:
    for line, sentence in zip(lines, annotated(lines, name), strict=True):
        for candidate in choose(candidates_of(perturbation(name), sentence), seed, line.line - 1):
            yield Drawn(line, candidate)


def annotated(lines: list[Line], name: str) -> Iterator[Sentence]:
    return annotators.get(language(name)).annotate(line.text for line in lines)


def readings_of(name: str) -> list[Verdict]:
    path = READINGS / f"{name}.tsv"
    if not path.exists():
        return []
    rows = (line.split("\t") for line in read_lines(path)[1:])
    return [Verdict(int(s), corpus, int(line), *rest) for s, corpus, line, *rest in rows]


def record(name: str, seed: int, drawn: list[Drawn], verdicts: Path, rest_yes: bool) -> None:
    """Put the verdicts into the type's file, in place of those of the same draw."""
    said: dict[str, list[str]] = {}
    for line in read_lines(verdicts):
        if line.strip():
            key, *what = line.split(maxsplit=2)
            said[key] = what
    unknown = set(said) - {one.hash for one in drawn}
    unread = [one.hash for one in drawn if one.hash not in said]
    if unknown or (unread and not rest_yes):
        sys.exit(f"not of this draw: {' '.join(sorted(unknown))}; without a verdict: {' '.join(unread)}")
    ours = {(one.where.corpus, one.where.line) for one in drawn}
    rows = [v for v in readings_of(name) if (v.corpus, v.line) not in ours]
    for one in drawn:
        verdict, reason = ([*said.get(one.hash, ["yes"]), ""])[:2]
        if verdict not in ("yes", "no", "doubtful"):
            sys.exit(f"{one.hash}: {verdict!r} is no verdict")
        rows.append(Verdict(seed, one.where.corpus, one.where.line, one.hash, verdict, reason))
    READINGS.mkdir(exist_ok=True)
    lines = ["\t".join(Verdict._fields), *("\t".join(map(str, row)) for row in sorted(rows))]
    (READINGS / f"{name}.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")


def report(data: Path, name: str | None) -> list[dict[str, Any]]:
    """A row for each type, half and draw; *still made*: the present rules may choose it."""
    rows: list[dict[str, Any]] = []
    for one in [name] if name else TYPES:
        where = {(line.corpus, line.line): line for lines in corpora(data, language(one)).values() for line in lines}
        verdicts = readings_of(one)
        lines = [where[v.corpus, v.line] for v in verdicts]
        made = [
            any(digest(c.text) == v.hash and not c.weak for c in candidates_of(perturbation(one), sentence))
            for v, sentence in zip(verdicts, annotated(lines, one), strict=True)
        ]
        entries = sorted(zip(verdicts, lines, made, strict=True), key=lambda e: (PARTS.index(e[1].part), e[0].seed))
        for (part, seed), group in groupby(entries, key=lambda e: (e[1].part, e[0].seed)):
            rows.append({"type": one, "half": part, "seed": seed, **shares([(v.verdict, m) for v, _, m in group])})
    return rows


def print_markdown(rows: list[dict[str, Any]]) -> None:
    for row in rows:
        if row["half"] == "fresh":
            interval = f"{row['low']:.0%}–{row['high']:.0%}"
            shown = [row["type"], row["seed"], row["read"], row["accepted"], row["doubtful"], interval]
            shown += [row["still made"], f"{row['share of these']:.0%}"]
            print(f"| {' | '.join(map(str, shown))} |")


def shares(read: list[tuple[str, bool]]) -> dict[str, Any]:
    said = [verdict for verdict, _ in read]
    yes = said.count("yes")
    interval = wilson(yes, len(said))
    return {
        "read": len(said),
        "accepted": yes,
        "doubtful": said.count("doubtful"),
        "share": round(yes / len(said), 3),
        "low": round(interval.low, 3),
        "high": round(interval.high, 3),
        "still made": sum(made for _, made in read),
        "share of these": round(_share([v for v, made in read if made]), 3),
        "bar": BAR,
    }


def _share(said: list[str]) -> float:
    return said.count("yes") / len(said) if said else 0.0


if __name__ == "__main__":
    main()
