"""People judge a suite with Pearmut: items as a campaign, and its annotations as scores.

A campaign shows the variants of an item side by side, in random order and without names; people give each a score
from 0 to 100. ``pearmut:FILE`` reads what they said: ``data/annotations/CAMPAIGN.jsonl``, or the JSON that the
dashboard downloads. A variant's score is the mean over people, whose last answer to an item counts.
"""

import math
from collections.abc import Iterator
from pathlib import Path
from statistics import mean
from typing import Any

import msgspec

from kontrast.errors import InputError, KontrastError
from kontrast.io.json_input import read_json, read_json_lines, write_json
from kontrast.io.names import plain_name
from kontrast.suites.formats.format import Lost
from kontrast.suites.formats.loss import losses
from kontrast.suites.model import Scores, Signature, Suite

_RESET = "__RESET__"
_ASKED = (
    "Which translation of the last sentence is right? The lines before it are its context. Give each translation a "
    "score: 100 is right, 0 is wrong. The same score means that both are equally good."
)


class _Shown(msgspec.Struct):
    """An item as the campaign had it."""

    tgt: dict[str, str]
    place: int = 0
    suite: str = ""
    fingerprint: str | None = None


class _Entry(msgspec.Struct):
    """What one person said about one document; a reset takes back all that they said before."""

    user_id: str
    annotation: Any = None
    item: list[_Shown] = []


def write_campaign(suite: Suite, path: Path) -> tuple[str, list[Lost]]:
    """Write the campaign, with one annotator; its name, and what it cannot hold."""
    if path.is_dir():
        raise KontrastError(f"{path}: a campaign of Pearmut is a file, but this is a folder")
    name = plain_name(suite.name).replace(" ", "_")
    fingerprint = suite.fingerprint
    task = [[_document(suite, place, fingerprint)] for place in range(len(suite.items))]
    info = {"assignment": "task-based", "protocol": "DA", "shuffle": True, "instructions": _ASKED}
    campaign = {"info": info, "campaign_id": name, "data": [task]}
    write_json(path, campaign)
    return name, losses(suite, {"id", "correct", "source_context", "target_context", "variant.context"})


def _document(suite: Suite, place: int, fingerprint: str) -> dict[str, Any]:
    """Pearmut keeps the keys that it does not know, and gives them back with the answers."""
    item = suite.items[place]
    if len(item.variants) < 2:
        raise KontrastError(f"item {item.id} has one variant, but people need at least two to choose from")
    source = "\n".join([*(item.source_context or ()), item.source])
    shown = {"src": source} if source.strip() else {}
    texts = {}
    for number, variant in enumerate(item.variants):
        before = variant.context if variant.context is not None else item.target_context
        texts[_label(number)] = "\n".join([*(before or ()), variant.text])
    known = {"item_id": item.id, "place": place, "suite": suite.name, "fingerprint": fingerprint}
    return {**shown, "tgt": texts, **known}


def _label(number: int) -> str:
    return f"variant {number}"


def read_annotations(path: str | Path, suite: Suite) -> Scores:
    """The scores, higher is better."""
    file = Path(path)
    said: dict[str, dict[int, list[float]]] = {}
    for entry in _entries(file):
        if entry.annotation == _RESET:
            said.pop(entry.user_id, None)
            continue
        for shown, answers in zip(entry.item, entry.annotation or (), strict=False):
            if shown.fingerprint is None or not isinstance(answers, dict):
                continue  # a tutorial, a form, or an item that was skipped
            if shown.fingerprint != suite.fingerprint:
                told = f"it belongs to another version of {shown.suite or 'the suite'}"
                raise InputError(file, f"{told}: write the campaign again (kontrast convert SUITE FILE --to pearmut)")
            said.setdefault(entry.user_id, {})[shown.place] = _scores(file, shown, answers)
    for user, answered in (said or {"nobody": {}}).items():
        if missing := [item.id for place, item in enumerate(suite.items) if place not in answered]:
            who = f"{user} did not judge" if said else "nobody judged"
            told = f"{who} {len(missing):,} of the {len(suite.items):,} items of {suite.name} (first {missing[0]})"
            raise InputError(file, f"{told}: finish the campaign")
    values = [
        mean(each)
        for place in range(len(suite.items))
        for each in zip(*(answered[place] for answered in said.values()), strict=True)
    ]
    signature = Signature(suite.name, suite.fingerprint, "pearmut", file.stem, details={"people": str(len(said))})
    return Scores("people", tuple(values), False, signature)


def _entries(file: Path) -> Iterator[_Entry]:
    if file.suffix == ".json":
        campaigns = read_json(file, dict[str, list[_Entry]])
        if len(campaigns) != 1:
            raise InputError(file, f"expected one campaign, found {len(campaigns)}: download them one by one")
        yield from next(iter(campaigns.values()))
        return
    yield from (entry for _, entry in read_json_lines(file, _Entry, "an annotation of Pearmut"))


def _scores(file: Path, shown: _Shown, answers: dict[str, Any]) -> list[float]:
    found = []
    for label in map(_label, range(len(shown.tgt))):
        answer = answers.get(label)
        score = answer.get("score") if isinstance(answer, dict) else None
        if isinstance(score, bool) or not isinstance(score, int | float) or not math.isfinite(score):
            raise InputError(file, f"item {shown.place + 1} has no score for {label}: expected the protocol DA")
        found.append(float(score))
    return found
