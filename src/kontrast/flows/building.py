"""Suites and perturbations from files or lists."""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from kontrast.building.errors.spec import Candidate
from kontrast.defaults import ERROR_CONFIDENCE, SEED
from kontrast.errors import KontrastError
from kontrast.flows.inputs import names
from kontrast.flows.own_text import kept_items, screened_documents, screened_file, wrote_error
from kontrast.io.files import read_lines
from kontrast.language.aligners.fast_align import Card, train
from kontrast.language.frequencies import Frequencies, word_frequencies
from kontrast.record import Record
from kontrast.suites.description import describe
from kontrast.suites.formats import load, save
from kontrast.suites.model import Suite

if TYPE_CHECKING:
    from kontrast.building.pronouns import BuiltPronouns

TrainLike = Frequencies | str | Path | Sequence[str | Path]
"""Frequencies of words, or the training text that gives them."""


def perturb(
    texts: str | Path | Iterable[str],
    language: str,
    types: str | Sequence[str] | None = None,
    *,
    every: bool = False,
    min_confidence: float = ERROR_CONFIDENCE,
    seed: int = SEED,
    train: TrainLike = (),
    annotator: str | None = None,
    lexicon: str | None = None,
) -> Iterator[tuple[int, Candidate]]:
    """Pairs (0-based line, candidate), as `kontrast perturb` prints them, of sentences or of a file.

    A candidate with a confidence below ``min_confidence`` is returned only with ``every``, which returns all. A file
    has a sentence
    per line, or is CoNLL-U; ``train`` is training text, which gives frequencies.

    >>> import kontrast
    >>> [(n, c.text) for n, c in kontrast.perturb(["Sie lacht nicht."], "de", "polarity_particle_nicht_del")]
    [(0, 'Sie lacht.')]
    """
    from kontrast.building.errors import run as room

    options: dict[str, Any] = {
        "every": every,
        "least": room.checked_confidence(min_confidence),
        "seed": seed,
        "annotator": annotator,
        "lexicon": lexicon,
        "frequencies": _frequencies(train),
    }
    chosen = names(types) if types else None
    if isinstance(texts, str | Path):
        return room.perturb_file(texts, language, chosen, **options)
    return room.perturb(texts, language, chosen, **options)


def build_errors(
    source: str | Path,
    reference: str | Path | None = None,
    pair: str = "en-de",
    types: str | Sequence[str] | None = None,
    *,
    train: TrainLike = (),
    mix: str | None = None,
    **options: Any,
) -> Suite:
    """A suite of references and contrastive variants, as `kontrast build errors` makes it; `save` writes it.

    ``source`` alone is an OPUS archive or a folder of documents. ``options``: every, seed, min_confidence, annotator,
    lexicon, name, ignore_source, dictionary, sample, on, workers. ``mix`` None is ``real`` where no types are named.

    >>> import kontrast
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "text.en").write_text("She does not laugh.\\n")
    >>> _ = (folder / "text.de").write_text("Sie lacht nicht.\\n")
    >>> suite = kontrast.build_errors(folder / "text.en", folder / "text.de", "en-de", "polarity_particle_nicht_del")
    >>> [variant.text for variant in suite.items[0].variants]
    ['Sie lacht nicht.', 'Sie lacht.']
    """
    from kontrast.building.errors import build as room
    from kontrast.building.errors.mix import mixed

    chosen = names(types) if types else None
    how = room.ErrorOptions(frequencies=_frequencies(train), **options)
    mix = _sampled_mix(how.sample, mix)
    made = mixed(room.build_errors(source, reference, pair, chosen, how), _mix(mix, chosen, how.every), how.seed)
    return msgspec.structs.replace(made, items=tuple(made.items))


def _mix(asked: str | None, types: Sequence[str] | None, every: bool) -> str | None:
    """All of what is asked for by name, or with every candidate; else as the corpus allows."""
    named = every or (types is not None and tuple(types) != ("all",))
    return "all" if asked is None and named else asked


def build_alignment(source: str | Path, target: str | Path, out: str | Path) -> Card:
    """Train a word aligner on line-aligned files and write it, as `kontrast build alignment` does.

    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "text.en").write_text("a dog\\na cat\\n")
    >>> _ = (folder / "text.de").write_text("ein Hund\\neine Katze\\n")
    >>> build_alignment(folder / "text.en", folder / "text.de", folder / "alignment").pairs
    2
    """
    from kontrast.building.corpus import parallel_lines

    return train(parallel_lines(source, target), out)


def _sampled_mix(sample: int | None, mix: str | None, *others: object) -> str | None:
    """The mix that is asked for; a sample is kept as it was drawn, and what would draw from it again is refused."""
    if sample is None:
        return mix
    if mix not in (None, "all") or any(other is not None for other in others):
        told = "give it without --mix, --judge, --against and --on TRANSLATIONS"
        raise KontrastError(f"--sample sets the shares of types itself: {told}")
    return "all"


class BuiltErrors(Record, frozen=True):
    """What was written: references, rows, how many variants of each error, and the mix.

    ``made`` is the number of variants before the mix. ``left_out`` counts, with ``translations``, the lines and items
    of a system's text that were not used.
    """

    items: int
    rows: int
    errors: dict[str, int]
    out: str
    left_out: dict[str, int] = {}
    mix: str = "all"
    made: int = 0


def write_errors(
    out: str | Path,
    source: str | Path,
    reference: str | Path | None = None,
    pair: str = "en-de",
    types: str | Sequence[str] | None = None,
    *,
    form: str | None = None,
    train: Sequence[str | Path] = (),
    mix: str | None = None,
    judge: str | None = None,
    against: str | None = None,
    translations: str | Path | None = None,
    **options: Any,
) -> BuiltErrors:
    """Build the suite into a file in bounded memory, as `kontrast build errors` does.

    An interrupted run resumes (``OUT.work``). ``judge`` is a model as in `score`, whose margin changes each foil's
    confidence. With ``against``, the foils that this model finds likeliest are chosen. The foils are made on
    ``translations``, a system's own output, if they show no sign of an error. With any of these the whole suite is in
    memory. ``options`` are those of `build_errors`.

    >>> import kontrast
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "text.en").write_text("She does not laugh.\\n")
    >>> _ = (folder / "text.de").write_text("Sie lacht nicht.\\n")
    >>> kontrast.write_errors(folder / "out.jsonl", folder / "text.en", folder / "text.de").items
    1
    """
    from kontrast.building.errors import build as room
    from kontrast.building.errors.mix import mixed
    from kontrast.building.errors.registry import general_names, names_of

    chosen = names(types) if types else None
    how = room.ErrorOptions(frequencies=_frequencies(train), **options)
    left_out: Counter[str] = Counter()
    mix = _sampled_mix(how.sample, mix, judge, translations, against)
    with ExitStack() as stack:
        base = reference
        if translations is not None:
            if reference is None:
                raise KontrastError("--on TRANSLATIONS needs SOURCE and REFERENCE for comparison")
            human = room.build_errors(source, reference, pair, chosen, how)
            how = msgspec.structs.replace(how, name=human.name)
            base, left_out = stack.enter_context(screened_file(out, source, reference, translations, human))
        making = how if against is None else msgspec.structs.replace(how, every=True)
        every = stack.enter_context(room.building_errors(out, source, base, pair, chosen, making, train))
        least = 0.0 if how.every else how.min_confidence
        if judge is not None:
            every = asked_model(judge, every, least)
        if against is not None:
            every = _hardest(against, every, least)
        form = form or ("lingeval97" if str(out).endswith((".json", ".json.gz")) else "native")
        share = "all" if mix is None and form == "lingeval97" else _mix(mix, chosen, how.every)
        suite = mixed(every, share, how.seed, hardest=against is not None)
        made = sum(len(item.variants) - 1 for item in every.items)
        if translations is not None:
            suite = kept_items(msgspec.structs.replace(suite, items=tuple(suite.items)), {}, left_out)
        save(suite, out, form)
        found = Counter(variant.error for item in suite.items for variant in item.variants[1:])
    ordered = dict.fromkeys(
        (*names_of(suite.target_language or ""), *general_names("lexicon"), *sorted(map(str, found)))
    )
    counts = {name: found[name] for name in ordered if found[name]}
    rows = len(suite.items) + found.total()
    told = str(suite.extra.get("mix", "all"))
    return BuiltErrors(len(suite.items), rows, counts, str(out), dict(left_out.most_common()), told, made)


def asked_model(model: str, suite: Suite, least: float, **scoring: Any) -> Suite:
    """The suite with what a model says of its foils; its scores are kept in the store."""
    from kontrast.building.checks.margins import judged_by
    from kontrast.flows.scoring import score

    whole = msgspec.structs.replace(suite, items=tuple(suite.items))
    scores = score(whole, model, store=True, **scoring)
    kept = judged_by(whole, [v if scores.lower_is_better else -v for v in scores.values], least)
    before, after = (sum(len(item.variants) - 1 for item in part.items) for part in (whole, kept))
    if not after:
        raise KontrastError(
            f"--judge {model}: none of {before} foils has enough confidence with this model's margins"
        )
    print(f"kontrast: {before - after} of {before} foils left out by --judge {model}", file=sys.stderr)
    return kept


def _hardest(model: str, suite: Suite, least: float) -> Suite:
    """The foils of each sentence and error that a model finds likeliest; its scores are kept in the store."""
    from kontrast.analysis.artefacts import with_easy_tags
    from kontrast.building.checks.margins import likeliest
    from kontrast.flows.scoring import score

    whole = msgspec.structs.replace(suite, items=tuple(suite.items))
    scores = score(whole, model, store=True)
    kept = likeliest(whole, [v if scores.lower_is_better else -v for v in scores.values], least)
    if not kept.items:
        raise KontrastError(f"--against {model}: no foil has enough confidence (--min-confidence {least})")
    return msgspec.structs.replace(with_easy_tags(kept), extra={**kept.extra, "against": model})


def build_pronouns(
    pair: str,
    documents: str | Path,
    out: str | Path | None = None,
    *,
    leave_out: str | Path | Iterable[str] = (),
    **options: Any,
) -> Suite:
    """A suite of pronouns from documents, as `kontrast build pronouns` makes it; `save` writes it.

    With ``out`` it is also written there, and an interrupted run resumes. ``leave_out`` are names of documents,
    or a file with one per line. ``options`` are those of the command; with more
    than one of ``jobs`` put the call under ``if __name__ == "__main__":``, because it starts processes.

    >>> import kontrast
    >>> suite = kontrast.build_pronouns("en-de", kontrast.bundled_corpus())
    >>> {str(item.tags["src_pronoun"]).lower() for item in suite.items}
    {'it'}
    """
    if out is not None:
        _written_pronouns(pair, documents, out, leave_out, **options)
        return load(out)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "pronouns.jsonl"
        _written_pronouns(pair, documents, place, leave_out, **options)
        return load(place)


def write_pronouns(
    out: str | Path,
    pair: str,
    documents: str | Path,
    *,
    leave_out: str | Path | Iterable[str] | None = None,
    translations: str | Path | None = None,
    judge: str | None = None,
    **options: Any,
) -> BuiltPronouns:
    """Build the suite of pronouns into a file, as `kontrast build pronouns` does; what was found, kept and left out.

    The file is native JSON lines where its name ends in .jsonl, else ContraPro's JSON. An interrupted run resumes
    (``OUT.work``). ``leave_out`` and ``options`` are those of `build_pronouns`. The foils are made on
    ``translations``, a folder of a system's own output, if they show no sign of an error. ``judge`` is a model as in
    `score`, whose margin, with the previous sentence, changes each foil's confidence.

    >>> import kontrast
    >>> out = Path(tempfile.mkdtemp()) / "pronouns.jsonl"
    >>> kontrast.write_pronouns(out, "en-de", kontrast.bundled_corpus()).items == len(kontrast.load(out))
    True
    """
    made = Path(f"{out}.unjudged.jsonl") if judge else Path(out)
    if translations is None:
        built = _written_pronouns(pair, documents, made, leave_out or (), **options)
    else:
        built = _pronouns_on(pair, documents, made, leave_out or (), translations, **options)
    if judge:
        unjudged = load(made)
        suite = asked_model(judge, unjudged, built.min_confidence, context="prev:1")
        suite = msgspec.structs.replace(suite, name=Path(out).name.split(".")[0])
        save(suite, out, "native" if _is_native(out) else "contrapro")
        made.unlink()
        lost = {f"left out by --judge {judge}": len(unjudged.items) - len(suite.items)}
        built = built.__replace__(out=str(out), items=len(suite.items), left_out={**built.left_out, **lost})
    return built.__replace__(by=describe(load(out), ["ref_pronoun", "distance"]).tables)


def _written_pronouns(
    pair: str, documents: str | Path, out: str | Path, leave_out: str | Path | Iterable[str], **options: Any
) -> BuiltPronouns:
    from kontrast.building import pronouns as room

    left_out = read_lines(leave_out) if isinstance(leave_out, str | Path) else leave_out
    options = {"format": "native" if _is_native(out) else "contrapro", **options}
    built = room.build_pronouns(pair, documents, out, leave_out=[line.strip() for line in left_out], **options)
    if built.few_pairs is not None:
        few = f"the aligner was trained on only {built.few_pairs} sentence pairs"
        advice = "train one on more text with `kontrast build alignment` and use it with --alignment"
        print(f"kontrast: {few}; {advice}", file=sys.stderr)
    return built


def _is_native(out: str | Path) -> bool:
    return str(out).removesuffix(".gz").removesuffix(".zst").endswith(".jsonl")


def _pronouns_on(
    pair: str,
    documents: str | Path,
    out: str | Path,
    leave_out: str | Path | Iterable[str],
    translations: str | Path,
    **options: Any,
) -> BuiltPronouns:
    """The suite on a system's translations; the same suite on the references says where `check` finds an error."""
    from kontrast.building.pronouns.recipe import load_recipe

    recipe = load_recipe(pair)
    languages = recipe.source_language, recipe.target_language
    human = build_pronouns(pair, documents, leave_out=leave_out, **options)
    with screened_documents(out, documents, translations, languages) as (place, own, faulty):
        faulty |= dict.fromkeys(wrote_error(human, own), "it contains an error of the suite")
        made = f"{place}/{Path(out).name}"
        built = _written_pronouns(pair, place, made, leave_out, **options)
        left_out = Counter(built.left_out)
        suite = kept_items(load(made), faulty, left_out)
        save(suite, out, "native" if _is_native(out) else "contrapro")
    return built.__replace__(out=str(out), items=len(suite.items), left_out=dict(left_out))


def _frequencies(train: TrainLike) -> Frequencies | None:
    if isinstance(train, Counter):
        return train
    paths = [train] if isinstance(train, str | Path) else list(train)
    return word_frequencies(*paths) if paths else None
