"""Samples for readers: candidates drawn from texts and suites in a seed's order, and the file that holds them."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import msgspec

from kontrast.building.checks.source import weighed
from kontrast.building.errors.build import nearby
from kontrast.building.errors.registry import Perturbation
from kontrast.building.errors.run import annotator_for, candidates_of, choose, usable
from kontrast.errors import InputError
from kontrast.io.files import read_lines, read_text, write_lines
from kontrast.language.annotators.conllu import read_conllu
from kontrast.suites.formats import load
from reading_files import digest, sample_digest


class Entry(msgspec.Struct, frozen=True, omit_defaults=True):
    """A candidate of a sample."""

    id: str
    type: str
    kind: str
    corpus: str
    line: int
    text: str
    foil: str
    source: str = ""
    context: tuple[str, ...] = ()
    needs_context: bool = False
    antecedent: str = ""
    """Of a pronoun item: what it says that the pronoun means, in both languages."""
    confidence: str = ""
    """How sure the item is; readers are not shown it."""

    @property
    def sentence(self) -> str:
        return digest(self.text)


class Sample(msgspec.Struct, frozen=True):
    language: str
    seed: int
    sample: str
    entries: tuple[Entry, ...]
    part_of: str = ""


class Line(NamedTuple):
    corpus: str
    number: int
    text: str
    source: str = ""


def lines_of(kind: str, path: str, language: str) -> Iterator[Line]:
    """The sentences of a file, a folder or a pair of files, each text once."""
    target, _, source = path.partition(",")
    found: Iterable[Line]
    if source:
        pairs = zip(read_lines(target), read_lines(source), strict=False)
        if len(read_lines(target)) != len(read_lines(source)):
            raise InputError(source, f"has not as many lines as {target}")
        found = (Line(Path(target).name, i, text, other) for i, (text, other) in enumerate(pairs, 1))
    else:
        found = (line for file in _files(Path(target), language) for line in _sentences(file))
    seen: set[str] = set()
    for line in found:
        if line.text.strip() and usable(line.text, language) and line.text not in seen:
            seen.add(line.text)
            yield line
    if not seen:
        raise InputError(target, f"has no sentence for {kind!r}")


def _files(path: Path, language: str) -> list[Path]:
    if not path.is_dir():
        return [path]
    files = sorted(p for p in path.rglob("*") if p.is_file())
    return [p for p in files if p.name.removesuffix(".gz").endswith(f".{language}")] or files


def _sentences(path: Path) -> Iterator[Line]:
    if path.name.endswith((".conllu", ".conllu.gz")):
        texts: Iterable[str] = (sentence.text for sentence in read_conllu(path))
    else:
        texts = read_lines(path)
    return (Line(path.name, i, text) for i, text in enumerate(texts, 1))


def candidates(
    kind: str, lines: list[Line], types: list[Perturbation], args: argparse.Namespace, read: set[tuple[str, str]]
) -> Iterator[Entry]:
    """Up to ``-n`` candidates of each type in the seed's order of the sentences."""
    pairs = [(line.source, line.text) for line in lines]
    places = {text: k for k, (_, text) in enumerate(pairs)}
    lines = sorted(lines, key=lambda line: digest(str(args.seed), line.text))[: args.sentences]
    wanted = Counter({p.name: args.n for p in types})
    reader = annotator_for(args.lang, types, args.annotator)
    rest = iter(lines)
    while (block := list(islice(rest, 200))) and +wanted:
        for line, sentence in zip(block, reader.annotate(x.text for x in block), strict=True):
            around = nearby(pairs, places[line.text]) if line.source else ()
            sentence = msgspec.structs.replace(sentence, source=line.source, nearby=around)
            for p in types:
                if wanted[p.name] <= 0 or (p.name, digest(line.text)) in read:
                    continue
                found = candidates_of(p, sentence)
                if args.source_language == "en" and line.source.strip():
                    found = weighed(found, sentence, args.lang, Counter())
                for c in choose(found, args.seed, line.number):
                    wanted[p.name] -= 1
                    made = entry(p.name, kind, line, c.text)
                    yield msgspec.structs.replace(made, needs_context=bool(c.needs_context))


def foils(kind: str, path: str, seed: int, read: set[tuple[str, str]]) -> Iterator[Entry]:
    """A wrong variant of each item, in the seed's order."""
    suite = load(path)
    for item in sorted(suite.items, key=lambda item: digest(str(seed), item.id, item.best.text)):
        wrong = sorted(
            (v for v in item.variants if v is not item.best), key=lambda v: digest(str(seed), item.id, v.text)
        )
        if not wrong:
            continue
        name = wrong[0].error or item.phenomenon or "variant"
        if (name, digest(item.best.text)) in read:
            continue
        context = tuple(
            f"{a} | {b}" for a, b in zip(item.source_context or (), item.target_context or (), strict=False)
        )
        line = Line(f"{Path(path).name}:{item.id}", item.segment or 0, item.best.text, item.source)
        needs = bool({**item.tags, **wrong[0].tags}.get("needs_context"))
        made = entry(name, kind, line, wrong[0].text)
        tags = item.tags
        meant = (
            f"{tags['ref_pronoun']} = {tags['ref_ante_head']} ({tags['src_ante_head']}), "
            f"{'context needed' if needs else 'in the same sentence'}"
            if "ref_pronoun" in tags
            else ""
        )
        sure = str({**tags, **wrong[0].tags}.get("confidence", ""))
        yield msgspec.structs.replace(made, context=context, needs_context=needs, antecedent=meant, confidence=sure)


def entry(name: str, kind: str, line: Line, foil: str) -> Entry:
    key = digest(name, line.text, foil)
    return Entry(key, name, kind, line.corpus, line.number, line.text, foil, line.source)


def evenly(kinds: dict[str, list[Entry]], n: int) -> list[Entry]:
    """``n`` of each type, taken in turn from the kinds of text; a candidate that several have, once."""
    drawn: dict[str, Entry] = {}
    for name in sorted({e.type for entries in kinds.values() for e in entries}):
        queues = [iter([e for e in entries if e.type == name]) for entries in kinds.values()]
        mine: dict[str, Entry] = {}
        while queues and len(mine) < n:
            for queue in list(queues):
                one = next(queue, None)
                if one is None:
                    queues.remove(queue)
                elif len(mine) < n:
                    mine.setdefault(one.id, one)
        drawn |= mine
    return list(drawn.values())


def write_sample(path: Path, sample: Sample) -> None:
    head = {"language": sample.language, "seed": sample.seed, "sample": sample.sample, "part_of": sample.part_of}
    lines = [head, *sample.entries]
    write_lines(path, [msgspec.json.encode(line).decode() for line in lines])


def read_sample(path: Path) -> Sample:
    try:
        head, *rest = read_text(path).splitlines()
        entries = tuple(msgspec.json.decode(line, type=Entry) for line in rest)
        sample = msgspec.convert({**msgspec.json.decode(head), "entries": entries}, Sample)
    except (ValueError, msgspec.MsgspecError) as error:
        raise InputError(path, "is no sample: expected what `read.py draw` writes") from error
    if sample_digest(e.id for e in entries) != sample.sample:
        raise InputError(path, f"its candidates are not those of the sample {sample.sample}")
    return sample
