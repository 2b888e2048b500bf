"""Lint, convert and publish from files or records.

The catalogue: cite from it, fetch and verify a suite.

One source a line, one line an item: what to translate elsewhere, for `kontrast check` to read back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from kontrast.building.repair import DEEP, Repair
from kontrast.building.repair import repair as repair_suite
from kontrast.errors import KontrastError
from kontrast.flows.inputs import SuiteLike, SystemLike, as_suite, as_systems
from kontrast.io import files
from kontrast.io.files import guarded
from kontrast.io.names import file_name, language_code
from kontrast.io.tables import formulas
from kontrast.judging.systems import single_systems
from kontrast.reporting.results_for_others import Relationship, result_files
from kontrast.scoring.schemes import SCHEMES, Scheme, load_scheme
from kontrast.suites.catalogue import Entry, entries, entry
from kontrast.suites.documents import ContextSpan, Documents, parse_span
from kontrast.suites.extraction import Extraction, differing_lines, with_context
from kontrast.suites.fetch import Fetched
from kontrast.suites.formats import Conversion, load, save, target_format
from kontrast.suites.hub import Publication, new_folder, publish_suite
from kontrast.suites.lint import Findings, LintCheck
from kontrast.suites.model import Suite
from kontrast.suites.testset import first_segment
from kontrast.testsets.originals import original_texts


def lint(
    suite: SuiteLike,
    *,
    strict: bool = False,
    deep: bool = False,
    tokenizer: str | None = None,
    also: Iterable[LintCheck] = (),
    format: str | None = None,
) -> Findings:
    """Find errors in a test set, the most serious first, as `kontrast lint` does.

    ``strict`` makes warnings errors; ``deep`` also looks for second errors in contrastives (German, French);
    ``tokenizer`` (``tiny`` or ``hf:FOLDER``) names items whose shared words it splits differently; ``also`` are
    checks
    of your own.

    >>> import kontrast
    >>> {finding.level for finding in kontrast.lint("demo:fr")}
    {'note'}
    """
    from kontrast.analysis.artefacts import ARTEFACTS
    from kontrast.suites import lint as room

    more = [*DEEP, *ARTEFACTS] if deep else []
    if tokenizer is not None:
        from kontrast.scoring.shared_words import shared_words_check

        more.append(shared_words_check(tokenizer))
    return room.lint(as_suite(suite, format), strict=strict, also=(*more, *also))


def convert(
    path: str | Path,
    out: str | Path,
    from_format: str | None = None,
    to_format: str | None = None,
    *,
    repair: bool | Callable[[Sequence[Repair]], None] = False,
    safe: bool = False,
    **options: Any,
) -> Conversion:
    """Read a suite and write it in another format, as `kontrast convert` does; ``options`` are of the format read.

    ``to_format="lm-eval"`` writes a task of lm-evaluation-harness into a folder, ``"pearmut"`` a campaign of Pearmut.

    ``repair`` repairs wrong variants with a second error; if it is a function, it is called with the changes.
    ``safe`` puts an apostrophe before each cell of a CSV file that a spreadsheet would run as a formula.

    >>> import tempfile
    >>> import kontrast
    >>> kontrast.convert("demo:fr", Path(tempfile.mkdtemp()) / "demo.json", to_format="contrapro").to_format
    'contrapro'
    """

    def repaired(suite: Suite) -> Suite:
        changed, changes = repair_suite(suite)
        if callable(repair):
            repair(changes)
        return changed

    if to_format in ("lm-eval", "pearmut"):
        from kontrast.scoring.lm_eval_task import write_task
        from kontrast.suites.pearmut import write_campaign

        suite = load(path, from_format, **options)
        suite = repaired(suite) if repair else suite
        _, lost = (write_task if to_format == "lm-eval" else write_campaign)(suite, Path(out))
        return Conversion(suite.name, len(suite.items), suite.row_count, to_format, lost)
    target = target_format(out, to_format)
    plain = target == "table" and str(out) != "-" and not str(out).lower().endswith(".xlsx")  # there cells have types
    if safe and not plain:
        raise KontrastError("--safe is for CSV and TSV files of the table format; other forms run no cell")
    with guarded():
        suite = load(path, from_format, **options)
        suite = repaired(suite) if repair else suite
        lost = save(suite, out, target)
    live = formulas(Path(out), safe=safe) if plain else 0
    return Conversion(suite.name, len(suite.items), suite.row_count, target, lost, live)


def publish(
    suite: SuiteLike,
    folder: str | Path,
    *scores: SystemLike,
    licence: str | None = None,
    citation: str | Path | None = None,
    maximize: bool | None = None,
    evaluator: str | None = None,
    relationship: Relationship = "other",
    format: str | None = None,
) -> Publication:
    """Write a suite as a data set folder that is ready to upload, as `kontrast publish` does.

    ``citation`` is a file with BibTeX. With ``scores`` it writes the results instead: the record of Every Eval Ever,
    the hub's metadata, a description of the method, and citations. ``evaluator`` is who ran the evaluation,
    ``relationship`` their relation to the model.

    >>> import tempfile
    >>> import kontrast
    >>> kontrast.publish("demo:fr", Path(tempfile.mkdtemp()) / "set").files[:3]
    ('DATASHEET.md', 'LICENSE', 'README.md')
    """
    if not scores:
        if evaluator is not None or relationship != "other" or maximize is not None:
            raise KontrastError("evaluator, relationship and maximize are for results; also give score files")
        text = files.read_text(citation) if citation is not None else None
        return publish_suite(as_suite(suite, format), Path(folder), licence, text)
    if licence is not None or citation is not None:
        raise KontrastError("licence and citation are for a published suite, not for results")
    from kontrast.flows.judging import compare, evaluate
    from kontrast.reporting.paper import KONTRAST, method_text

    loaded, known = as_suite(suite, format), _published_as(suite)
    origin = suite if isinstance(suite, str) and suite.startswith("hf://") else known.home if known else ""
    citation = loaded.citation or (known.citation if known else "")
    systems = single_systems(as_systems(loaded, scores, maximize=maximize))
    found = [evaluate(loaded, each) for each in systems]
    together = compare(loaded, *systems) if len(systems) > 1 else None
    texts = {
        "METHOD.md": f"{method_text(found, together)}\n",
        "CITATION.bib": "\n\n".join(text.strip() for text in (citation, KONTRAST) if text) + "\n",
    }
    for each in found:
        made = result_files(each, loaded, origin, evaluator=evaluator, relationship=relationship)
        if twice := sorted(made.keys() & texts.keys()):
            raise KontrastError(
                f"two systems have the same name and would be one file {twice[0]}: give OWNER/NAME=FILE"
            )
        texts |= made
    place = new_folder(Path(folder))
    for name, text in texts.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        with files.writing(place / name) as out:
            out.write(text)
    return Publication(loaded.name, str(folder), len(loaded.items), tuple(sorted(texts)))


def _published_as(suite: SuiteLike) -> Entry | None:
    """The entry of the catalogue, where the suite is named by it: a file of the same format may be another set."""
    name = suite.partition("?")[0].partition(":")[0] if isinstance(suite, str) and not Path(suite).exists() else ""
    return next((each for each in entries() if each.name == name), None)


def cite(*names: str) -> str:
    """BibTeX, each citation once, as `kontrast cite` prints it, of entries of the catalogue, suites, or kontrast.

    >>> import kontrast
    >>> kontrast.cite("contrapro").startswith("@")
    True
    """
    return "\n\n".join(dict.fromkeys(text for name in names if (text := _citation(name).strip())))


def _citation(name: str) -> str:
    from kontrast.reporting.paper import KONTRAST

    if name == "kontrast":
        return KONTRAST
    bare = name.partition("?")[0]
    if Path(bare).exists() or bare.startswith("demo:"):
        return load(name).citation or ""
    return entry(bare).citation


def fetch_suite(
    name: str | Entry, *, source: str | Path | None = None, documents: str | Path | None = None
) -> Fetched:
    """Fetch an entry into the cache and verify it, as `kontrast suites get` does.

    If the entry has a score file with a published result, the result is computed again: ``published_right`` and
    ``published_total`` are the values found.

    >>> import tempfile
    >>> import kontrast
    >>> kontrast.fetch_suite("contrapo")
    Traceback (most recent call last):
    kontrast.errors.KontrastError: there is no 'contrapo' in the catalogue; did you mean contrapro?
    """
    from kontrast.suites import fetch as room

    done = room.fetch_suite(name, source=source, documents=documents)
    published = entry(done.name).published
    if published is None or not done.sets:
        return done
    scores = Path(done.folder) / published.scores
    if not scores.is_file():
        return done
    text = next(original_texts(next(iter(done.sets.values())), [scores]))
    right, total = map(int, text.partition("\n")[0].split()[2:4])
    return msgspec.structs.replace(done, published_right=right, published_total=total)


def extract_sources(
    suite: SuiteLike,
    out: str | Path,
    *,
    format: str | None = None,
    documents: str | Path | None = None,
    context: str | int | Sequence[str] = (),
    scheme: str | Scheme | None = None,
    config: str | Path | None = None,
    source: str | None = None,
    target: str | None = None,
) -> Extraction:
    """Write ``NAME.items.src`` into the folder ``out``: the source of each item, in suite order.

    Without ``context`` it is the sentence alone, else context and sentence joined as ``scheme`` says (default: a
    blank), as `kontrast score` renders them.
    """
    loaded = as_suite(suite, format)
    wanted = (str(context),) if isinstance(context, str | int) else tuple(context)
    around, differing = bool(wanted) or documents is not None, 0
    if around:
        span = parse_span(wanted) if wanted else ContextSpan(previous=1)
        first = first_segment(loaded, target, None)
        folder = None
        if documents is not None:
            pair = source or loaded.source_language or "en", target or loaded.target_language or "de"
            folder = Documents(documents, *map(language_code, pair))
            differing, _ = differing_lines(loaded, folder, first)
        loaded = with_context(loaded, folder, span, first_segment=first)
    joined = load_scheme(scheme, config) if isinstance(scheme, str) else scheme or SCHEMES["space"]
    lines = [
        "".join(joined.render(item.source_context or (), item.source, item.source_next or ()))
        if around
        else item.source
        for item in loaded.items
    ]
    path = Path(out) / f"{file_name(loaded.name)}.items.src"
    files.write_columns({path: lines})
    return Extraction([str(path)], len(lines), len(lines), differing)
