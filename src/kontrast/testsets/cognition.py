"""CoGnition's line files: ``NP.en``, ``NP.zh`` and ``NP.compound`` (VP, PP, or ``cg-test`` for all).

An item has the reference alone and the compound that it tests as tag and as document, as five sentences share it.
``?lexicon=FILE`` (its ``eval/lexicon``: a word, a tab, translations with ``/`` between) gives the translations of the
compound's words, which its own check looks for. A ``/`` alone stands for a word that may be left out; one at the end
(``liked``) is an empty translation, which its script finds in every text.
"""

import re
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

from kontrast.errors import InputError, KontrastError
from kontrast.io import files
from kontrast.io.tables import read_tab_lines
from kontrast.suites.formats.format import Peek
from kontrast.suites.model import Item, Suite, Tags, Variant

ENDINGS = (".en", ".zh", ".compound")
MODIFIERS = ("he liked", "at the store", "on the floor")
"""Of several words: its lexicon has them as mod0, mod1, mod2."""


def _prefix(path: Path) -> Path | None:
    prefix = path.with_suffix("") if path.suffix in ENDINGS else path
    return prefix if all(prefix.with_name(prefix.name + ending).is_file() for ending in ENDINGS) else None


def detect(peek: Peek) -> bool:
    return _prefix(peek.path) is not None


def read(path: Path, lexicon: str | None = None) -> Suite:
    prefix = _prefix(path)
    if prefix is None:
        raise InputError(path, "expected NP.en with NP.zh and NP.compound in the same folder")
    known = _lexicon(Path(lexicon)) if lexicon is not None else None
    kind = prefix.name if prefix.name in ("NP", "VP", "PP") else "compound"
    items = []
    rows = files.read_aligned(*(prefix.with_name(prefix.name + ending) for ending in ENDINGS))
    for number, (source, target, compound) in enumerate(rows, start=1):
        tags: Tags = {"phenomenon": kind, "compound": compound.strip()}
        if known is not None:
            if missing := [word for word in words_of(compound) if word not in known]:
                raise InputError(f"{prefix}.compound", f"the lexicon has no {missing[0]!r}", line=number)
            tags["words"] = {word: known[word] for word in words_of(compound)}
        items.append(Item(str(number), source, (Variant(target),), document=compound.strip(), tags=tags))
    return Suite(prefix.name, tuple(items), "en", "zh", style="cognition")


def words_of(compound: str) -> list[str]:
    """The words of a compound as the lexicon has them."""
    for number, modifier in enumerate(MODIFIERS):
        compound = compound.replace(modifier, f"mod{number}")
    return compound.split()


def _lexicon(path: Path) -> dict[str, list[str]]:
    found = {}
    for row in read_tab_lines(path):
        if len(row.cells) != 2:
            raise InputError(path, "expected a word, a tab and its translations", line=row.line)
        texts = row.cells[1].strip()
        found[row.cells[0].strip()] = [] if texts == "/" else texts.split("/")
    return found


# CoGnition's own check: all words of the compound are translated, and what modifies the noun stands before it.
#
# A word whose entry in the lexicon has no translation may be left out. Where the compound has a verb, a modifier of
# several words may stand anywhere. Five sentences in a row share a compound: it is right if it is so in all five.


_CLASSES = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))["classes"]
CONTEXTS = 5


def outcomes(suite: Suite, translations: Sequence[str]) -> list[Literal["right", "wrong"]]:
    """One answer per item."""
    pairs = zip(suite.items, translations, strict=True)
    return ["right" if _right(item, text) else "wrong" for item, text in pairs]


def _right(item: Item, text: str) -> bool:
    known = item.tags.get("words")
    if known is None:
        raise KontrastError("CoGnition's own check needs its lexicon: use NP.en?lexicon=eval/lexicon")
    text = text.replace("@@ ", "").replace(" ", "")
    places: dict[str, list[int]] = {}
    for word in words_of(str(item.tags["compound"])):
        found = [m.start() for each in known[word] for m in re.finditer(re.escape(each), text)]
        if known[word] and not found:
            return False
        places |= {kind: found for kind, words in _CLASSES.items() if word in words}
    before = ["determiner", "adjective", *([] if places.get("verb") else ["modifier"])]
    nouns = places.get("noun")
    return not nouns or all(min(first) < max(nouns) for kind in before if (first := places.get(kind)))


def printed(suite: Suite, answers: Sequence[str]) -> Iterator[str]:
    """The totals of its script; compounds are counted five sentences at a time."""
    right = [answer == "right" for answer in answers]
    whole = [all(right[i : i + CONTEXTS]) for i in range(0, len(right) - CONTEXTS + 1, CONTEXTS)]
    yield f"# of test samples: {len(right)}"
    yield f"Instance-level error rate:{_error_rate(right):.3%}"
    yield f"Aggregate-level error rate:{_error_rate(whole):.3%}"


def _error_rate(right: Sequence[bool]) -> float:
    if not right:
        raise KontrastError("CoGnition's own check counts compounds in five sentences; there are fewer")
    return (len(right) - sum(right)) / len(right)
