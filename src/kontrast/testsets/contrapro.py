"""ContraPro (Müller et al. 2018, EN-DE) and the large EN-FR set (Lopes et al. 2020): a JSON list of pronouns.

An item is right only if the reference beats all its errors. ``document id`` and ``segment id`` are kept as they are
(segments count from 1 in ContraPro, from 0 in the French set); every other key becomes a tag in snake case, and
``ante distance`` the tag ``distance``. ``errors`` may be one object instead of a list, as in one form of the French
set.
"""

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from kontrast.suites.model import Item, Scores, Suite
from kontrast.suites.testset import Columns, Request
from kontrast.testsets.originals import Options, Tally, beats_all, titled

_PRONOUNS = ("src_pronoun", "ref_pronoun")


def languages(path: Path, items: Iterable[Item]) -> tuple[str | None, str | None]:
    """The target at the end of a document's id (``….de``), else of the corpus' name (``…-enfr``)."""
    for item in items:
        found = re.search(r"\.([a-z]{2})$", item.document or "")
        found = found or re.search(r"\ben-?([a-z]{2})$", str(item.tags.get("corpus", "")))
        if found:
            return "en", found[1]
    return None, None


def columns(suite: Suite, request: Request) -> Columns:
    """ContraPro's layout: ``NAME.text.LANG`` with a row a line, ``NAME.context.LANG`` with n lines per row.

    Sources and references are the documents' own lines; a blank line stands for context that is not there. As JSON,
    the context is a list of objects with the keys "1" (the oldest) to "n", each object n times.
    """
    texts: tuple[list[str], list[str]] = ([], [])
    contexts: tuple[list[list[str]], list[list[str]]] = ([], [])
    for item in suite.items:
        source, target, place = request.located(item)
        wrong = [variant.text for variant in item.foils] if request.contrastives else []
        for text in (target[place], *wrong):
            texts[0].append(source[place])
            texts[1].append(text)
            for side, lines in enumerate((source, target)):
                before = lines[max(0, place - request.context) : place]
                contexts[side].append([""] * (request.context - len(before)) + before)
    found: Columns = {}
    for side, language in enumerate((request.source, request.target)):
        found[f"{request.name}.text.{language}"] = texts[side]
        flat = [line for context in contexts[side] for line in context]
        found[f"{request.name}.context.{language}"] = _as_json(contexts[side]) if request.context_json else flat
    return found


def _as_json(contexts: list[list[str]]) -> list[str]:
    """Lines of indented JSON, written as the original's Perl writes it."""
    objects = []
    for context in contexts:
        entry = {str(n): json.dumps(line, ensure_ascii=False) for n, line in enumerate(context, start=1)}
        body = ",\n".join(f'      "{key}":{entry[key]}' for key in sorted(entry)).replace("\x7f", "\\u007f")
        objects += ["   {\n" + body + "\n   }"] * len(context)
    return ("[\n" + ",\n".join(objects) + "\n]").split("\n") if objects else ["[]"]


def lines(suite: Suite, scores: Scores, options: Options) -> Iterator[str]:
    """ContraPro and the large EN-FR set: an item is right where the reference strictly beats all its errors."""
    pronouns, within, distances = Tally(), Tally(), Tally()
    pairs: dict[str, Tally] = {}
    inside: dict[Any, str] = {}  # 1 and true are one value, under the name that comes first
    for item, right in zip(suite.items, beats_all(suite, scores), strict=True):
        tags = item.tags
        pair = ":".join("" if (word := tags.get(tag)) is None else str(word) for tag in _PRONOUNS).lower()
        far = tags.get("distance")
        distance = ">3" if isinstance(far, int | float) and far > 3 else str(far)
        pronouns.add(pair, right)
        value = tags.get("intrasegmental")
        within.add(inside.setdefault(value if isinstance(value, int | float) else str(value), str(value)), right)
        distances.add(distance, right)
        pairs.setdefault(distance, Tally()).add(pair, right)
        if options["v"] and tags.get("distance") == 0:
            yield from _verbose(item, right)

    yield pronouns.total()
    yield from titled("statistics by error category", map(pronouns.line, sorted(pronouns)))
    # False, True, None: the original cannot sort None among the others and dies
    ordered = sorted(inside, key=lambda value: (isinstance(value, str), value == "None", value))
    yield from titled("statistics by intrasegmental", (within.line(inside[value]) + " " for value in ordered))
    yield from titled("statistics by ante distance", (distances.line(each) + " " for each in sorted(distances)))
    yield from titled("ante distance per pronoun pairs", ())
    for distance in sorted(pairs):
        yield f"ante distance {distance} :"
        yield from (f"{pair} {pairs[distance][pair][1]} " for pair in sorted(pairs[distance]))


def _verbose(item: Item, right: bool) -> Iterator[str]:
    yield from ("correct" if right else "wrong", f"ante dist: {item.tags.get('distance')}")
    yield from (f"ref prn {item.tags.get('ref_pronoun')}", f"source: {item.source}", f"ref: {item.best.text}")
    yield from (f"{side} ante: {item.tags.get(f'{side}_ante_phrase')}" for side in ("src", "ref"))
    yield ""
