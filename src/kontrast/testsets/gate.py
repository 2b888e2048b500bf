"""GATE (Rarrick et al. 2023, English into French, Italian, Spanish): all genders that a sentence allows.

A row has a source that leaves the gender of one, two or three people open and a translation for each combination:
``f``/``m``, ``ff``/``fm``/``mf``/``mm``, or eight. None of them is wrong: an item asks whether the system prefers the
one that is feminine throughout (``?right=m``, ``?right=fm``: another; ``?right=each``: an item for each, for ``--by
gender``), so that accuracy is the share of items in which it does, and chance is no bias. Equal translations are
joined; an item in which all are equal has one variant.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from kontrast.errors import InputError
from kontrast.io import files
from kontrast.suites.formats.declared_rows import NamedRow, split_header, table_rows
from kontrast.suites.formats.format import Peek
from kontrast.suites.model import Item, Suite, Tags, Variant

_GENDERS = re.compile(r"[fm]{1,3}")


def detect(peek: Peek) -> bool:
    names = split_header(peek.head, "tsv")
    return {"labels", "source", "kw_s"} <= set(names) and len(_genders(names)) >= 2


def _genders(names: Sequence[str]) -> list[str]:
    return [name for name in names if _GENDERS.fullmatch(name)]


def read(path: Path, right: str | None = None) -> Suite:
    rows = enumerate(table_rows(path, "tsv", (), True, path), start=1)
    if right == "each":
        items = tuple(_item(path, n, row, gender) for n, row in rows for gender in _genders(list(row.cells)))
    else:
        items = tuple(_item(path, n, row, right) for n, row in rows)
    named = re.match(r"([A-Z]{2})_", path.name)
    target = named[1].lower() if named else None
    extra: Tags = {"all_equal": equal} if (equal := sum(len(item.variants) < 2 for item in items)) else {}
    return Suite(files.suite_name(path), items, "en", target, style="gate", extra=extra)


def _item(path: Path, number: int, row: NamedRow, right: str | None) -> Item:
    genders = _genders(list(row.cells))
    if not {"labels", "source"} <= row.cells.keys() or len(genders) < 2:
        raise InputError(path, "expected the columns labels, source and f, m or ff, fm, mf, mm", line=row.line)
    first = right if right is not None else "f" * len(genders[0])
    if first not in genders:
        raise InputError(path, f"right={first}: expected one of {', '.join(genders)}")
    if blank := [gender for gender in genders if not row.cells[gender].strip()]:
        raise InputError(path, f"expected a translation in the column {blank[0]}, found none", line=row.line)
    texts: dict[str, list[str]] = {}
    for gender in sorted(genders, key=lambda each: each != first):
        texts.setdefault(row.cells[gender].strip(), []).append(gender)
    variants = tuple(
        Variant(text, error=None if first in each else "gender", tags={"gender": "/".join(each)})
        for text, each in texts.items()
    )
    rest = {key: value for key, value in row.cells.items() if key not in {*genders, "source", "labels"} and value}
    tags = {"phenomenon": "gender", "gender": first, "labels": row.cells["labels"].split(";"), **rest}
    return Item(f"{number}.{first}", row.cells["source"].strip(), variants, tags=tags)


def outcomes(suite: Suite, translations: Sequence[str]) -> list[str]:
    """As its script: a rewritten translation is right if it is the reference to the letter; blank is left out."""
    pairs = zip(suite.items, translations, strict=True)
    return ["neither" if not t.strip() else "right" if t.strip() == i.best.text else "wrong" for i, t in pairs]


def printed(suite: Suite, answers: Sequence[str]) -> Iterator[str]:
    """The lines of its script: precision, recall and F0.5, over all and by label."""
    labels = list(dict.fromkeys(label for item in suite.items for label in item.tags["labels"]))
    yield _line("Overall", answers)
    for label in sorted(labels, key=lambda each: _ORDER.index(each) if each in _ORDER else len(_ORDER)):
        yield _line(label, [a for a, item in zip(answers, suite.items, strict=True) if label in item.tags["labels"]])


_ORDER = (
    "PROF NAT REL FAM NHUM OTH SUBJ SCMP DOBJ IOBJ OPRP VOC POSC OCMP DIFF QUES FRAG IMPR APRD AATR ANAN PPA APPS "
    "PERS RELA DEMO POSS DROP IPRO PLUR INDF DFCL PSSV VPART GLNK"
).split()


def _line(name: str, answers: Sequence[str]) -> str:
    right, wrong = answers.count("right"), answers.count("wrong")
    precision = right / (right + wrong) if right + wrong else 0
    recall = right / len(answers) if answers else 0
    total = 0.25 * precision + recall
    share = 1.25 * precision * recall / total if total else 0
    counts = f"{len(answers):4} (Matches: {right}, Mismatches: {wrong})"
    return f"{name}\t{counts}\t-- Precision: {precision:.2f}, Recall: {recall:.2f}, f0.5: {share:.2f}"
