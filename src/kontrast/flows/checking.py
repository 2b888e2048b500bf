"""Check translations from files or lists."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any, Unpack

from kontrast.errors import KontrastError
from kontrast.flows.inputs import SuiteLike, as_single, as_suite, part_of
from kontrast.judging.check_records import Check, Checks
from kontrast.judging.options import Checking
from kontrast.judging.signatures import check_made_on
from kontrast.judging.systems import distinct, read_translations, signature_beside, written_by
from kontrast.judging.written import write_verdicts
from kontrast.options import filled, keywords
from kontrast.scoring.translating.result import Translations
from kontrast.suites.model import Signature, Suite

TranslationsLike = Translations | str | Path | Sequence[str]
"""What `translate` returned, a file with a line per item, or the lines."""
_LEAST_SAMPLES = 2


@keywords(Checking)
def check(
    suite: SuiteLike, /, *translations: TranslationsLike, system: str = "system", **options: Unpack[Checking]
) -> Check | Checks:
    """Search translations for the right form, as `kontrast check` does: `Check` for one system, `Checks` for several.

    ``translations`` are files with one line per item, results of `translate`, or lists of lines (named by
    ``system``). ``complete`` and ``pretty`` are CTXPro's own, for ``style="original"``.
    ``items`` is where every verdict is written: a file, or a folder for several systems. ``limit`` and
    ``seed`` are those of a first trial with `translate`.

    >>> import kontrast
    >>> from kontrast import Item, Suite, Variant
    >>> item = Item("1", "It sleeps .", (Variant("Er schläft ."), Variant("Sie schläft .", error="pronoun")))
    >>> kontrast.check(Suite("tiny", (item, item)), ["Er schläft jetzt.", "Sie pennt!"]).right
    1
    """
    from kontrast.judging.check import judge_translations, original_lines, summarise
    from kontrast.judging.sampled import check_samples, sampled

    asked = filled(Checking, options, check)
    scores, items = asked["scores"], asked["items"]
    if not translations:
        raise KontrastError("give at least one file of translations")
    if scores is not None and len(translations) > 1 and not asked["samples"]:
        raise KontrastError("--scores needs exactly one file of translations, or --samples")
    if asked["samples"] and (scores is None or len(translations) < _LEAST_SAMPLES):
        raise KontrastError(f"--samples needs --scores FILE and at least {_LEAST_SAMPLES} files of translations")
    if translations.count("-") > 1:
        raise KontrastError("standard input (-) can be given only once")
    loaded = part_of(as_suite(suite, asked["format"]), asked["limit"], asked["seed"])
    judged = None
    if scores is not None:
        [judged] = as_single(loaded, [scores], maximize=asked["maximize"])
        if asked["samples"]:
            _check_different(translations)
            check_samples(judged, [made for given in translations if (made := _signature(given)) is not None])
    names = distinct([_name(given, system) for given in translations])
    found = [
        judge_translations(
            loaded,
            _lines(given, loaded, asked["allow"]),
            system=name,
            style=asked["style"],
            align=asked["align"],
            separator=asked["separator"],
            context=asked["context"],
            by_distance=asked["by_distance"],
        )
        for given, name in zip(translations, names, strict=True)
    ]
    beside = None if asked["samples"] else judged
    summed: dict[str, Any] = {"by": asked["by"], "scores": beside, "level": asked["level"], "allow": asked["allow"]}
    results = tuple(summarise(loaded, each, **summed) for each in found)
    own = (("complete", asked["complete"]), ("pretty", asked["pretty"]))
    extra = [name for name, given in own if given]
    if asked["style"] == "original":
        results = tuple(each.__replace__(printed=original_lines(loaded, each.outcomes, extra)) for each in results)
    elif extra:
        raise KontrastError(f"--{extra[0]} needs --style original")
    if items is not None:
        for each in found:
            write_verdicts(each, items if len(found) == 1 else Path(items) / f"{each.system}.verdicts")
    if len(results) == 1:
        return results[0]
    of_one = sampled(loaded, judged, found, asked["level"]) if asked["samples"] and judged is not None else None
    return Checks(loaded.name, results, of_one)


def _name(given: TranslationsLike, system: str) -> str:
    if isinstance(given, str | Path):
        return written_by(given)
    return given.system if isinstance(given, Translations) else system


def _check_different(translations: Sequence[TranslationsLike]) -> None:
    paths = [Path(given).resolve() for given in translations if isinstance(given, str | Path)]
    if twice := next((path for path in paths if paths.count(path) > 1), None):
        raise KontrastError(f"--samples: {twice.name} is given twice")


def _signature(given: TranslationsLike) -> Signature | None:
    if isinstance(given, str | Path):
        return signature_beside(given)
    return given.signature if isinstance(given, Translations) else None


def _lines(given: TranslationsLike, suite: Suite, allow: Collection[str]) -> Sequence[str]:
    if isinstance(given, Translations):
        check_made_on(suite, given.system, given.signature, "translated", allow)
        return given.texts
    return read_translations(given, suite, allow=allow) if isinstance(given, str | Path) else given
