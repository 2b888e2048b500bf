"""Candidates for a reader: draw a sample from any text or suite, show it, keep the verdicts, report the shares.

    python benchmarks/read.py draw --lang de --types tense,date --text news=news.de --text novels=FOLDER -n 50 --out S
    python benchmarks/read.py draw --suite subtitles=pronouns.jsonl -n 50 --out S
    python benchmarks/read.py show S [--type tense] [--width 8]
    python benchmarks/read.py record S VERDICTS --name de-1 --reader "A. Reader" [--rest-yes] [--round 2]
    python benchmarks/read.py again de-1 --text wiki=wiki.de,wiki.en --out S   # a reading's candidates
    python benchmarks/read.py part S --share 0.1 --out T          # for a second reader; or --each 10
    python benchmarks/read.py still S … [--only de-blind] [--list] # read ones that the rules of today still choose
    python benchmarks/read.py report [--json]                     # shares, intervals, agreement
    python benchmarks/read.py page                                # writes docs/errors-read.md, pronouns-read.md

Text is a file with a sentence per line, CoNLL-U, or a folder of such files (those of the language by their ending,
else all); KIND=TARGET,SOURCE adds the source file. Suites are any that kontrast loads. Each type gets ``-n``
candidates, one per sentence as without ``--all``, in equal parts from the kinds of text; where one runs out the
others give more. An English source is asked as `build errors` asks it: what it says is not drawn, what it allows as
well is marked needs_context, and is right where it is a sound error of its document. A sentence that a reading has
for the type is not drawn again. ``still`` runs the rules of today over samples whose candidates were read: no figure
of quality, as rules were made on them. ``again`` finds the candidates of a reading in its texts, weak ones too, as
far as the rules still make them, and says how many it did not find.

The sample S holds the texts: keep it out of the repository. VERDICTS has a line ``ID no|doubtful|yes REASON`` per
candidate; with ``--rest-yes`` those not named were read and accepted. What is kept: ``benchmarks/reading_files.py``.
"""

from __future__ import annotations

import argparse
import difflib
import re
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import msgspec

import reading_files as store
from kontrast.building.errors.registry import listed
from kontrast.building.errors.run import annotator_for, candidates_of
from kontrast.errors import InputError, KontrastError
from kontrast.io.files import read_lines
from kontrast.reporting.terminal import print_json, print_table
from kontrast.suites.formats import load
from reading_files import Said, digest, sample_digest
from reading_samples import Entry, Sample, candidates, entry, evenly, foils, lines_of, read_sample, write_sample


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("draw", help="draw a sample")
    one.add_argument("--lang", help="language of the texts")
    one.add_argument("--types", default="all", help="names of errors, separated by commas (default: all)")
    one.add_argument("--text", action="append", default=[], metavar="KIND=TARGET[,SOURCE]")
    one.add_argument("--suite", action="append", default=[], metavar="KIND=FILE")
    one.add_argument("--source-language", default="en", help="of the sources in --text (default: en)")
    one.add_argument("--annotator")
    one.add_argument("--seed", type=int, default=1)
    one.add_argument("-n", type=int, default=50, help="candidates per type")
    one.add_argument("--sentences", type=int, default=20000, help="most sentences looked at per kind of text")
    one.add_argument("--out", type=Path, required=True)
    one = commands.add_parser("show", help="print candidates to read")
    one.add_argument("sample", type=Path)
    one.add_argument("--type")
    one.add_argument("--width", type=int, help="words shown around each change (default: the whole sentence)")
    one.add_argument("--source", action="store_true", help="the source too")
    one = commands.add_parser("again", help="the candidates of a reading, for a second reader")
    one.add_argument("reading", help="its name in benchmarks/readings")
    one.add_argument("--text", action="append", required=True, metavar="KIND=TARGET[,SOURCE]")
    one.add_argument("--annotator")
    one.add_argument("--readings", type=Path, default=store.FOLDER)
    one.add_argument("--out", type=Path, required=True)
    one = commands.add_parser("part", help="a seeded part of a sample")
    one.add_argument("sample", type=Path)
    one.add_argument("--share", type=float, default=0.1)
    one.add_argument("--each", type=int, metavar="N", help="N of each type, evenly from the kinds (no share)")
    one.add_argument("--seed", type=int, default=1)
    one.add_argument("--out", type=Path, required=True)
    one = commands.add_parser("record", help="keep the verdicts of a sample")
    one.add_argument("sample", type=Path)
    one.add_argument("verdicts", type=Path)
    one.add_argument("--name", required=True, help="of the file in benchmarks/readings")
    one.add_argument("--reader", required=True)
    one.add_argument("--texts", default="", help="where the texts are from")
    one.add_argument("--note", default="", help="what the reader had seen before, what was fixed since")
    one.add_argument("--round", type=int, default=1, help="the last round of a type is its figure")
    one.add_argument("--rest-yes", action="store_true", help="candidates that VERDICTS does not name were accepted")
    one.add_argument("--readings", type=Path, default=store.FOLDER)
    one = commands.add_parser("still", help="what the rules of today make of the read candidates of samples")
    one.add_argument("samples", type=Path, nargs="+", help="of one language")
    one.add_argument("--only", default="", metavar="PREFIX", help="readings whose name begins so (default: all)")
    one.add_argument("--list", action="store_true", help="print the refused ones that are still chosen too")
    one.add_argument("--annotator")
    one.add_argument("--json", action="store_true")
    one.add_argument("--readings", type=Path, default=store.FOLDER)
    for name in ("report", "page"):
        one = commands.add_parser(name)
        one.add_argument("--readings", type=Path, default=store.FOLDER)
        one.add_argument("--json", action="store_true")
    args = parser.parse_args()
    try:
        globals()[f"_{args.command}"](args)
    except KontrastError as error:
        sys.exit(f"read.py: {error}")


def _draw(args: argparse.Namespace) -> None:
    folders = (store.FOLDER, store.FOLDER / "pronouns")
    read = {(one.type, one.sentence) for f in folders for reading in store.all_readings(f) for one in reading.said}
    drawn: list[Entry] = []
    if args.text:
        if not args.lang:
            raise KontrastError("name the language of the texts with --lang")
        types = listed(args.lang, tuple(args.types.split(",")))
        texts = {kind: list(lines_of(kind, path, args.lang)) for kind, path in map(_labelled, args.text)}
        kinds = {k: list(candidates(k, v, types, args, read)) for k, v in texts.items()}
        drawn += evenly(kinds, args.n)
    if args.suite:
        kinds = {k: list(foils(k, path, args.seed, read)) for k, path in map(_labelled, args.suite)}
        drawn += evenly(kinds, args.n)
    if not drawn:
        raise KontrastError("these texts give no candidate of the types asked for")
    language = args.lang or load(_labelled(args.suite[0])[1]).target_language or ""
    write_sample(args.out, Sample(language, args.seed, sample_digest(e.id for e in drawn), tuple(drawn)))
    counts = Counter((e.type, e.kind) for e in drawn)
    print_table(("type", "kind of text", "candidates"), [(*key, n) for key, n in sorted(counts.items())])


def _labelled(argument: str) -> tuple[str, str]:
    kind, equals, path = argument.partition("=")
    if not equals or not kind or not path:
        raise KontrastError(f"expected KIND=FILE, found {argument!r}")
    return kind, path


def _show(args: argparse.Namespace) -> None:
    sample = read_sample(args.sample)
    for one in sample.entries:
        if args.type in (None, one.type):
            tag = " needs_context" if one.needs_context else ""
            print(
                one.id, f"{one.kind:9}{tag}" if args.type else f"{one.type} {one.kind}{tag}", marked(one, args.width)
            )
            if one.antecedent:
                print("   ", one.antecedent)
            if args.source and one.source:
                print("   ", one.source, *(f"\n    < {line}" for line in one.context))


def marked(one: Entry, width: int | None = None) -> str:
    """The sentence with each change as [old→new], cut to so many words around the changes.

    >>> marked(entry("x", "k", Line("f", 1, "Er kam nicht mit ihr."), "Er kam mit ihr."), 1)
    '… kam[ nicht→] mit …'
    """
    old, new = (re.findall(r"\s*\w+|\s*[^\w\s]|\s+", text) for text in (one.text, one.foil))
    pieces: list[str] = []
    blocks = difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    for n, (kind, a, b, c, d) in enumerate(blocks):
        if kind != "equal":
            pieces.append(f"[{''.join(old[a:b])}→{''.join(new[c:d])}]")
            continue
        words = old[a:b]
        first, last = (width if n else 0), (width if n < len(blocks) - 1 else 0)
        if width is not None and first is not None and last is not None and len(words) > first + last:
            words = [*words[:first], " …", *(words[len(words) - last :] if last else [])]
        pieces.append("".join(words))
    return "".join(pieces).strip()


def _again(args: argparse.Namespace) -> None:
    reading = store.read_reading(args.readings / f"{args.reading}.tsv")
    language, whole = reading.about["language"], reading.about.get("part_of") or reading.about["sample"]
    kinds = {kind for kind, _ in map(_labelled, args.text)}
    asked = {one.id: one for one in reading.said if one.kind in kinds}
    if not asked:
        raise KontrastError(f"{reading.name} read no text of the kind {', '.join(sorted(kinds))}")
    types = listed(language, tuple(_types(asked.values())))
    annotator = annotator_for(language, types, args.annotator)
    read = {(one.kind, one.sentence) for one in asked.values()}
    found: dict[str, Entry] = {}
    for kind, path in map(_labelled, args.text):
        lines = [line for line in lines_of(kind, path, language) if (kind, digest(line.text)) in read]
        for line, sentence in zip(lines, annotator.annotate(line.text for line in lines), strict=True):
            sentence = msgspec.structs.replace(sentence, source=line.source)
            for p in types:
                made = (entry(p.name, kind, line, c.text) for c in candidates_of(p, sentence))
                found |= {e.id: e for e in made if e.id in asked and e.id not in found}
    if not found:
        raise KontrastError(f"the rules make no candidate of {reading.name} from these texts any more")
    sample = Sample(language, 0, sample_digest(found), tuple(found.values()), whole)
    write_sample(args.out, sample)
    print(f"{len(found)} of {len(asked)} candidates of {reading.name} on {', '.join(sorted(kinds))} in {args.out}")


def _part(args: argparse.Namespace) -> None:
    sample = read_sample(args.sample)
    order = sorted(sample.entries, key=lambda e: digest(str(args.seed), e.id))
    if args.each is not None:
        if args.each < 1:
            raise KontrastError(f"--each: expected at least 1, found {args.each}")
        kinds = {kind: [e for e in order if e.kind == kind] for kind in sorted({e.kind for e in order})}
        kept = tuple(evenly(kinds, args.each))
    else:
        kept = tuple(order[: max(1, round(args.share * len(order)))])
    part = Sample(
        sample.language, args.seed, sample_digest(e.id for e in kept), kept, sample.part_of or sample.sample
    )
    write_sample(args.out, part)
    print(f"{len(kept)} of {len(order)} candidates in {args.out}")


def _record(args: argparse.Namespace) -> None:
    sample = read_sample(args.sample)
    verdicts: dict[str, tuple[str, str]] = {}
    for number, line in enumerate(read_lines(args.verdicts), 1):
        if not line.strip() or line.startswith("#"):
            continue
        key, verdict, *reason = [*line.split(maxsplit=2), ""]
        if verdict not in store.VERDICTS:
            raise InputError(args.verdicts, f"expected ID yes|doubtful|no REASON, found {line!r}", line=number)
        verdicts[key] = verdict, reason[0].strip()
    unknown = sorted(set(verdicts) - {e.id for e in sample.entries})
    if unknown:
        raise InputError(args.verdicts, f"{unknown[0]} is not in the sample {sample.sample}")
    unread = [e.id for e in sample.entries if e.id not in verdicts]
    if unread and not args.rest_yes:
        raise InputError(args.verdicts, f"{len(unread)} candidates have no verdict, {unread[0]} first (--rest-yes?)")
    said = [
        Said(e.id, e.sentence, e.type, e.kind, *verdicts.get(e.id, ("yes", "")), e.confidence) for e in sample.entries
    ]
    about = {"language": sample.language, "reader": args.reader, "texts": args.texts, "note": args.note}
    about |= {"round": str(args.round), "part_of": sample.part_of}
    path = args.readings / f"{args.name}.tsv"
    if path.exists() and store.read_reading(path).about["sample"] != store.sample_digest(one.id for one in said):
        raise InputError(path, "is a reading of another sample: choose another --name")
    store.write_reading(path, about, said)
    _print_rows([{"type": name, **store.shares([s for s in said if s.type == name])} for name in _types(said)])


def _still(args: argparse.Namespace) -> None:
    from reading_still import states, table

    samples = [read_sample(path) for path in args.samples]
    if len({sample.language for sample in samples}) > 1:
        raise KontrastError("the samples are of several languages: give those of one")
    readings = [r for r in store.all_readings(args.readings) if r.name.startswith(args.only)]
    found = states(samples, readings, args.annotator)
    if not found:
        raise KontrastError("none of the candidates was read")
    if args.json:
        print_json([{**row} for row in table(found)])
        return
    _print_rows(table(found))
    for one in found if args.list else ():
        if one.state == "chosen" and not one.accepted:
            print(one.entry.id, one.entry.type, one.entry.kind, marked(one.entry), f"({one.reason})")


def _types(said: Iterable[Said]) -> list[str]:
    return sorted({one.type for one in said})


def _report(args: argparse.Namespace) -> None:
    found = store.all_readings(args.readings)
    rows, both = store.table(found), store.agreements(found)
    if args.json:
        print_json({"shares": rows, "agreement": both})
    else:
        _print_rows(rows)
        _print_rows(both)


def _page(args: argparse.Namespace) -> None:
    from reading_page import PRONOUNS, write_page

    write_page(store.all_readings(args.readings))
    write_page(store.all_readings(args.readings / "pronouns"), PRONOUNS)


def _print_rows(rows: list[dict[str, object]]) -> None:
    if rows:
        print_table(list(rows[0]), [list(row.values()) for row in rows])


if __name__ == "__main__":
    main()
