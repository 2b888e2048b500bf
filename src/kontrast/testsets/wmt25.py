"""Challenge sets of WMT25's metrics task: ``NAME.PAIR.src.txt``, ``.ref.txt``, ``.hyp-1.txt`` …, ``.meta.txt``.

A line is a segment. The reference is the correct variant, the hypotheses are its rivals; those equal to it are left
out and counted in ``extra``. ``?right=2`` takes the second hypothesis in place of the reference. A set without a
reference (ConDrift) does not say which text is right: its items have one blank variant, so that scores decide
nothing, and the hypotheses in the tag ``hypotheses``. ``meta`` has a domain and a document a line, in some sets below
a row of names.
"""

import re
from itertools import pairwise
from pathlib import Path

from kontrast.errors import InputError
from kontrast.io import files
from kontrast.suites.formats.format import Peek
from kontrast.suites.model import Item, Suite, Tags, Variant

_LANGUAGE = r"[a-z]{2,3}(?:_[A-Za-z]{2,4})?"
_NAME = re.compile(
    rf"(?P<prefix>(?P<set>.+)\.(?P<source>{_LANGUAGE})-(?P<target>{_LANGUAGE}))(?:\.(?:src|ref|hyp[-_]?\d*|meta)\.txt)?"
)
_HYPOTHESIS = re.compile(r"hyp[-_]?(\d*)\.txt")


def detect(peek: Peek) -> bool:
    named = _NAME.fullmatch(peek.path.name)
    return named is not None and _hypotheses(peek.path, named["prefix"]) != {}


def _hypotheses(path: Path, prefix: str) -> dict[int, Path]:
    """The files of hypotheses by number; none where there is no source."""
    if not path.with_name(f"{prefix}.src.txt").is_file():
        return {}
    there = (file for file in path.parent.iterdir() if file.name.startswith(prefix + "."))
    found = {file: _HYPOTHESIS.fullmatch(file.name[len(prefix) + 1 :]) for file in there}
    numbered = sorted((int(named[1] or 1), file) for file, named in found.items() if named)
    for (number, file), (other, again) in pairwise(numbered):
        if number == other:
            raise InputError(file, f"expected one file of hypothesis {number}, found {again.name} too")
    return dict(numbered)


def read(path: Path, right: str | None = None) -> Suite:
    named = _NAME.fullmatch(path.name)
    texts = _hypotheses(path, named["prefix"]) if named else {}
    if named is None or not texts:
        raise InputError(path, "expected NAME.en-de.src.txt with .hyp-1.txt … and .ref.txt in the same folder")
    prefix = named["prefix"]
    if (reference := path.with_name(f"{prefix}.ref.txt")).is_file():
        texts = {0: reference, **texts}
    if right is not None and right not in map(str, texts):
        raise InputError(path, f"right={right}: expected one of {', '.join(map(str, texts))}")
    best = int(right or 0)
    rows = list(files.read_aligned(path.with_name(f"{prefix}.src.txt"), *texts.values()))
    about = _meta(path.with_name(f"{prefix}.meta.txt"), len(rows))
    items = []
    for number, (source, *row) in enumerate(rows, start=1):
        domain, document = (*(about[number - 1] if about else []), "", "")[:2]
        tags: Tags = {"phenomenon": named["set"], **({"domain": domain} if domain else {})}
        variants = _variants(dict(zip(texts, row, strict=True)), best, named["set"])
        if best not in texts:
            variants, tags["hypotheses"] = (Variant(""),), row
        items.append(Item(str(number), source, variants, document=document or None, tags=tags))
    source_code, target = (named[side].partition("_")[0] for side in ("source", "target"))
    equal = sum(len(texts) - len(item.variants) for item in items)
    extra: Tags = {"equal_to_reference": equal} if equal and best in texts else {}
    return Suite(prefix, tuple(items), source_code, target, style="wmt25", extra=extra)


def _variants(texts: dict[int, str], best: int, name: str) -> tuple[Variant, ...]:
    """The text of that number (0: the reference) and those that differ from it; the reference is no rival."""
    right = texts.get(best, "")
    rivals = (
        Variant(text, error=name, tags={"hypothesis": number})
        for number, text in texts.items()
        if number not in (0, best) and text.strip() != right.strip()
    )
    return (Variant(right), *rivals)


def _meta(path: Path, count: int) -> list[list[str]]:
    if not path.is_file():
        return []
    lines = [line.split("\t") for line in files.read_lines(path)]
    if len(lines) == count + 1:
        lines = lines[1:]
    if len(lines) != count:
        raise InputError(path, f"expected {count} lines, or a row of names and as many, found {len(lines)}")
    return lines
