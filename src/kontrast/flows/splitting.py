"""Splits, divergence, generalisation and compound errors from files or records."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, Required, TypedDict, Unpack, overload

from kontrast.defaults import LEVEL, SEED, SPLIT_METRICS
from kontrast.errors import KontrastError
from kontrast.flows.inputs import as_suite, names, refuse_unknown
from kontrast.io.files import read_lines
from kontrast.options import keywords, records
from kontrast.splitting.compound_errors import FEW, CompoundErrors, corpus_links, judged_compounds
from kontrast.splitting.corpus_counts import CorpusCounts, load_counts
from kontrast.splitting.corpus_reader import corpus_texts
from kontrast.splitting.generalisation import Generalisation, SystemOutput
from kontrast.splitting.measured_divergence import ATOM_ALPHA, COMPOUND_ALPHA, Divergence, compare_sets, measure
from kontrast.splitting.options import ExportOptions, SplitOptions
from kontrast.splitting.split_corpus import Report
from kontrast.splitting.split_files import Split, export_split, ids_of, load_split, parse_corpora, save_split
from kontrast.suites.model import Suite

CountsLike = CorpusCounts | str | Path
"""Counts, or the folder that `count` wrote."""
IdsLike = Sequence[int] | str | Path
"""Sentence numbers counted from 0, or a file with one per line."""
RunLike = SystemOutput | tuple[float, str | Path, str | Path]
"""A system's output, or (divergence, file of references, file of predictions)."""


@keywords(SplitOptions, ExportOptions)
def split(
    counts: CountsLike, out: str | Path | None = None, *, watch: Report | None = None, **given: Any
) -> list[Split]:
    """Make train and test sets of chosen divergences, as `kontrast split` makes them: one for each target and seed.

    ``out`` is the folder for the result (with a subfolder for each target and seed if there are several), with the
    corpora of ``export`` (``{"en": "corpus.en"}`` or ``["en=corpus.en"]``) in ``formats``. ``report`` is an HTML file
    to write; ``watch`` is called during the search. Options are those of the command.

    >>> import tempfile
    >>> import kontrast
    >>> text = Path(tempfile.mkdtemp()) / "text.txt"
    >>> words = "dogs cats birds fish".split(), "bark sleep sing swim eat run".split()
    >>> _ = text.write_text("".join(f"{a} {b}\\n" for a in words[0] for b in words[1]))
    >>> [made] = kontrast.split(kontrast.count(text, features="ngram"), atom=0, compound=1, test_share=(0.2, 0.3))
    >>> made.compound_divergence
    1.0
    """
    from kontrast.splitting import split_corpus as room

    options, files = records(given, split, SplitOptions, ExportOptions)
    corpora = dict(files.export) if isinstance(files.export, Mapping) else parse_corpora(files.export)
    if corpora and out is None:
        raise KontrastError("--export writes into the folder of the split: give --out DIR")
    loaded = _counts(counts)
    results = room.split(loaded, options, report=watch)
    for result in results if out is not None else ():
        place = Path(out or "")
        if len(options.compound) > 1:
            place /= f"compound-{result.aim.compound:g}"
        if len(options.seed) > 1:
            place /= f"seed-{result.seed}"
        save_split(result, place, counts="" if isinstance(counts, CorpusCounts) else Path(counts).name)
        if corpora:
            export_split(result, corpora, place, formats=files.formats, name=files.name, url=files.url)
    if files.report is not None:
        from kontrast.reporting.splits import save_split_report

        save_split_report(files.report, counts=loaded, splits=results)
    return results


def divergence(
    counts: CountsLike,
    train: IdsLike | None = None,
    test: IdsLike | None = None,
    *,
    against: CountsLike | None = None,
    pretraining: Sequence[CountsLike] = (),
    atom_alpha: float = ATOM_ALPHA,
    compound_alpha: float = COMPOUND_ALPHA,
    top: int = 0,
    draws: int = 3,
) -> Divergence:
    """Atom and compound divergence of two sets of sentences, as `kontrast divergence` prints it.

    ``against`` are counts of another corpus, from which test is taken; ``pretraining`` counts are added to train.

    >>> import tempfile
    >>> import kontrast
    >>> text = Path(tempfile.mkdtemp()) / "text.txt"
    >>> _ = text.write_text("dogs bark\\ncats sleep\\ndogs sleep\\ncats bark\\n")
    >>> found = kontrast.divergence(kontrast.count(text, features="ngram"), train=[0, 1], test=[2, 3])
    >>> found.atom_divergence, found.compound_divergence
    (0.0, 1.0)
    """
    loaded = _counts(counts)
    first = None if train is None else ids_of(train, loaded.sentences)
    if against is None and not pretraining:
        if first is None or test is None:
            raise KontrastError("give --train FILE and --test FILE, or --against DIR")
        sides = first, ids_of(test, loaded.sentences)
        for name, side in zip(("train", "test"), sides, strict=True):
            _refuse_empty(name, loaded, side)
        return measure(loaded, *sides, atom_alpha=atom_alpha, compound_alpha=compound_alpha, draws=draws, top=top)
    if against is None and test is None:
        raise KontrastError("give a test set: --test FILE, or --against DIR")
    other = _counts(against) if against is not None else loaded
    second = None if test is None else ids_of(test, other.sentences)
    _refuse_empty("test", other, second)
    if not pretraining:
        _refuse_empty("train", loaded, first)
    return compare_sets(
        [(loaded, first), *((_counts(each), None) for each in pretraining)],
        (other, second),
        atom_alpha=atom_alpha,
        compound_alpha=compound_alpha,
        top=top,
    )


class CompoundOptions(TypedDict, total=False):
    """What `generalise` takes with ``compounds``: the options of the command of the same names."""

    counts: CountsLike | None
    corpus: str | Path | None
    translation: str | Path | None
    outputs: Required[Mapping[str, Sequence[str]] | Sequence[str | Path]]
    alignment: str | Path | None
    dictionary: bool


@overload
def generalise(
    runs: Sequence[RunLike] = (),
    *,
    values: Sequence[tuple[float, str, str | Path]] = (),
    metrics: str | Sequence[str] = SPLIT_METRICS,
    by: Literal["length"] | None = None,
    resamples: int = 1000,
    level: float = LEVEL,
    seed: int = SEED,
    report: str | Path | None = None,
) -> Generalisation: ...
@overload
def generalise(
    *,
    compounds: Split | Suite | str | Path,
    level: float = LEVEL,
    seed: int = SEED,
    **options: Unpack[CompoundOptions],
) -> CompoundErrors: ...
def generalise(
    runs: Sequence[RunLike] = (),
    *,
    values: Sequence[tuple[float, str, str | Path]] = (),
    metrics: str | Sequence[str] = SPLIT_METRICS,
    by: Literal["length"] | None = None,
    resamples: int = 1000,
    level: float = LEVEL,
    seed: int = SEED,
    report: str | Path | None = None,
    compounds: Split | Suite | str | Path | None = None,
    **options: Any,
) -> Generalisation | CompoundErrors:
    """The generalisation score, as `kontrast generalise` prints it.

    A run is a `SystemOutput`, or (divergence, file of references, file of predictions); ``values`` are (divergence,
    name of the metric, file with a number per line). ``by="length"`` also scores short and long sentences separately;
    ``report`` is an HTML file to write. With ``compounds``, a split or its folder, the result is the share of
    compounds of its test side that are translated correctly: ``counts`` are the counts of the split, ``corpus`` the
    CoNLL-U file that was
    counted, ``translation`` its other side, ``outputs`` files with the test sentences of each system (or lines by
    name). Without an ``alignment`` fast_align aligns the corpus. ``compounds`` may also be a suite whose own check
    decides
    compounds (CoGnition), with ``outputs`` alone.

    >>> import tempfile
    >>> import kontrast
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "known.txt").write_text("0.8\\n0.8\\n")
    >>> _ = (folder / "new.txt").write_text("0.4\\n0.4\\n")
    >>> values = [(0.0, "COMET", folder / "known.txt"), (1.0, "COMET", folder / "new.txt")]
    >>> kontrast.generalise(values=values).score
    0.5
    """
    from kontrast.splitting import generalisation as room

    refuse_unknown(options, CompoundOptions, generalise)
    if compounds is not None:
        if runs or values or by or report is not None:
            raise KontrastError("--compounds cannot be used with --at, --values, --by and --report")
        return _compound_errors(compounds, level=level, seed=seed, **options)
    if needed := ", ".join(f"--{name}" for name, value in options.items() if value):
        raise KontrastError(f"{needed} requires --compounds")
    read = [run if isinstance(run, SystemOutput) else room.read_output(*run) for run in runs]
    chosen = names(metrics)
    how: dict[str, Any] = {"resamples": resamples, "level": level, "seed": seed}
    result = room.generalise([*read, *(room.read_values(*given) for given in values)], metrics=chosen, **how)
    if by == "length":
        result = result.__replace__(by_length=tuple(room.generalise_by_length(read, metrics=chosen[:1], **how)))
    if report is not None:
        from kontrast.reporting.splits import save_split_report

        save_split_report(report, generalisation=result)
    return result


def _compound_errors(
    split: Split | Suite | str | Path,
    *,
    counts: CountsLike | None = None,
    corpus: str | Path | None = None,
    translation: str | Path | None = None,
    outputs: Mapping[str, Sequence[str]] | Sequence[str | Path] = (),
    alignment: str | Path | None = None,
    **options: Any,
) -> CompoundErrors:
    from kontrast.splitting import compound_errors as room

    systems = outputs if isinstance(outputs, Mapping) else {str(path): read_lines(path) for path in outputs}
    if isinstance(split, Suite) or not (isinstance(split, Split) or Path(split).is_dir()):
        if counts is not None or corpus is not None or translation is not None or alignment is not None:
            raise KontrastError("--compounds SUITE takes only --output, because the suite's own check decides")
        return _suite_compounds(split, systems, **options)
    if counts is None or corpus is None or translation is None or not outputs:
        raise KontrastError("--compounds needs --counts, --corpus, --translation and --output")
    references = corpus_texts(translation)
    links = corpus_links(corpus_texts(corpus), references, alignment)
    if alignment is None and len(references) < FEW:
        message = f"an aligner trained on {len(references)} pairs makes many mistakes; give --alignment FILE"
        print(f"kontrast: {message}", file=sys.stderr)
    chosen = load_split(split) if isinstance(split, str | Path) else split
    return room.compound_errors(_counts(counts), chosen, corpus, references, links, systems, **options)


def _suite_compounds(
    suite: Suite | str | Path, systems: Mapping[str, Sequence[str]], *, dictionary: bool = False, **options: Any
) -> CompoundErrors:
    """Error rates by compound of a suite that has them, decided by its own check."""
    from kontrast.judging.check import judge_translations

    loaded = as_suite(suite)
    if not systems:
        raise KontrastError("--compounds needs --output FILE: a system's translations of the suite")
    if dictionary or not all("compound" in item.tags for item in loaded.items):
        told = "--dictionary is for a split" if dictionary else f"the items of {loaded.name} name no compound"
        raise KontrastError(f"--compounds {loaded.name}: {told}; expected a split's folder, or CoGnition's files")
    right = {}
    for name, lines in systems.items():
        judged = judge_translations(loaded, lines, system=name, style="original")
        right[name] = [item.verdict == "right" for item in judged.items]
    pairs = [(str(item.tags["compound"]), item.phenomenon or "") for item in loaded.items]
    return judged_compounds(pairs, right, **options)


def _counts(given: CountsLike) -> CorpusCounts:
    return given if isinstance(given, CorpusCounts) else load_counts(given)


def _refuse_empty(side: str, counts: CorpusCounts, chosen: Any) -> None:
    """A side without atoms or compounds has no distribution, and so no divergence."""
    for name in ("atoms", "compounds"):
        mass = getattr(counts, name).mass()
        if not (mass if chosen is None else mass[chosen]).sum():
            raise KontrastError(f"{side} has no {name}: the divergence of an empty set is not defined")
