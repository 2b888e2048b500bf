"""Describe, lint, convert, publish and exclude from files or records.

The catalogue: choose from it, cite it, fetch and verify a suite.

One source a line, one line an item: what to translate elsewhere, for `kontrast check` to read back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

from kontrast.building.repair import Repair
from kontrast.errors import KontrastError
from kontrast.flows.inputs import SuiteLike, SystemLike, as_suite, as_systems, names
from kontrast.io import files
from kontrast.io.names import file_name, language_code
from kontrast.judging.systems import single_systems
from kontrast.reporting.results_for_others import Relationship
from kontrast.scoring.schemes import SCHEMES, Scheme, load_scheme
from kontrast.suites.catalogue import Entry, entry
from kontrast.suites.description import Description
from kontrast.suites.documents import ContextSpan, Documents, parse_span
from kontrast.suites.exclusion import Exclusion
from kontrast.suites.extraction import Extraction, check_segments, with_context
from kontrast.suites.fetch import Fetched
from kontrast.suites.formats.conversion import Conversion
from kontrast.suites.layouts import first_segment
from kontrast.suites.lint.finding import Findings, LintCheck
from kontrast.suites.model import Suite
from kontrast.suites.publishing import Publication


def describe(
    suite: SuiteLike, by: str | Sequence[str] = (), *, most: int = 8, format: str | None = None
) -> Description:
    """What is in a suite, as `kontrast describe` shows it; ``by`` names tags (``"ref_pronoun,distance"``).

    >>> import kontrast
    >>> kontrast.describe("demo:fr").target_language
    'fr'
    """
    from kontrast.suites import description as room

    return room.describe(as_suite(suite, format), names(by), most=most)


def lint(
    suite: SuiteLike,
    *,
    strict: bool = False,
    deep: bool = False,
    tokenizer: str | None = None,
    also: Iterable[LintCheck] = (),
    format: str | None = None,
) -> Findings:
    """What is wrong with a test set, the worst first, as `kontrast lint` finds it.

    ``strict`` makes warnings errors; ``deep`` also looks for second errors in contrastives (German, French);
    ``tokenizer`` (``tiny`` or ``hf:FOLDER``) names items whose shared words it cuts differently; ``also`` are checks
    of your own.

    >>> import kontrast
    >>> {finding.level for finding in kontrast.lint("demo:fr")}
    {'note'}
    """
    from kontrast.analysis.artefacts import ARTEFACTS
    from kontrast.building.repair import DEEP
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

    ``repair`` replaces contrastives that hold a second error; a function given for it is called with the changes.
    ``safe`` puts an apostrophe before each cell of a CSV file that a spreadsheet would take for a formula.

    >>> import tempfile
    >>> import kontrast
    >>> kontrast.convert("demo:fr", Path(tempfile.mkdtemp()) / "demo.json", to_format="contrapro").to_format
    'contrapro'
    """
    from kontrast.suites.formats import conversion as room

    def repaired(suite: Suite) -> Suite:
        from kontrast.building.repair import repair as repair_suite

        changed, changes = repair_suite(suite)
        if callable(repair):
            repair(changes)
        return changed

    if to_format in ("lm-eval", "pearmut"):
        from kontrast.scoring.lm_eval_task import write_task
        from kontrast.suites.formats import load
        from kontrast.suites.pearmut import write_campaign

        suite = load(path, from_format, **options)
        suite = repaired(suite) if repair else suite
        _, lost = (write_task if to_format == "lm-eval" else write_campaign)(suite, Path(out))
        return Conversion(suite.name, len(suite.items), suite.row_count, to_format, lost)
    return room.convert(path, out, from_format, to_format, change=repaired if repair else None, safe=safe, **options)


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
    the hub's metadata, how they were made and what to cite. ``evaluator`` is who ran the evaluation,
    ``relationship`` what they are to the model.

    >>> import tempfile
    >>> import kontrast
    >>> kontrast.publish("demo:fr", Path(tempfile.mkdtemp()) / "set").files[:3]
    ('DATASHEET.md', 'LICENSE', 'README.md')
    """
    from kontrast.suites.publishing import new_folder, publish_suite

    if not scores:
        if evaluator is not None or relationship != "other" or maximize is not None:
            raise KontrastError("evaluator, relationship and maximize belong to results: give score files too")
        text = files.read_text(citation) if citation is not None else None
        return publish_suite(as_suite(suite, format), Path(folder), licence, text)
    if licence is not None or citation is not None:
        raise KontrastError("licence and citation belong to a suite that is published, not to its results")
    from kontrast.flows.judging import compare, evaluate
    from kontrast.reporting.paper import KONTRAST, method_text
    from kontrast.reporting.results_for_others import result_files

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
            raise KontrastError(f"two systems have one name, and would be one file {twice[0]}: give OWNER/NAME=FILE")
        texts |= made
    place = new_folder(Path(folder))
    for name, text in texts.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        with files.writing(place / name) as out:
            out.write(text)
    return Publication(loaded.name, str(folder), len(loaded.items), tuple(sorted(texts)))


def _published_as(suite: SuiteLike) -> Entry | None:
    """The entry of the catalogue, where the suite is named by it: a file of the same format may be another set."""
    from kontrast.suites.catalogue import entries

    name = suite.partition("?")[0].partition(":")[0] if isinstance(suite, str) and not Path(suite).exists() else ""
    return next((each for each in entries() if each.name == name), None)


def exclude(
    corpus: str | Path | Sequence[str | Path],
    suites: SuiteLike | Sequence[SuiteLike],
    *,
    documents: str | Path | Iterable[str] = (),
    format: str | None = None,
    **options: Any,
) -> Exclusion:
    """Take suites' documents and sentences out of a corpus, as `kontrast exclude` does.

    ``documents`` are more documents to take out: their ids, or a file with an id a line. ``options`` are those of
    `kontrast.suites.exclusion.exclude`: out, report, ids, threshold, shortest, both.

    >>> import tempfile
    >>> import kontrast
    >>> folder = Path(tempfile.mkdtemp())
    >>> item = kontrast.load("demo:de").items[0]
    >>> _ = (folder / "train.en").write_text(f"{item.source}\\nSomething else entirely, and quite long.\\n")
    >>> _ = (folder / "train.de").write_text(f"{item.best.text}\\nEtwas ganz anderes, und recht lang.\\n")
    >>> done = kontrast.exclude([folder / "train.en", folder / "train.de"], "demo:de", out=folder / "clean")
    >>> done.kept, done.removed
    (1, 1)
    """
    from kontrast.suites import exclusion as room

    several = [suites] if isinstance(suites, Suite | str | Path) else suites
    listed = files.read_lines(documents) if isinstance(documents, str | Path) else documents
    return room.exclude(
        [corpus] if isinstance(corpus, str | Path) else corpus,
        [as_suite(suite, format) for suite in several],
        documents=[line for line in listed if line.strip()],
        **options,
    )


def entries(lang: str | None = None, kind: Literal["suite", "splits", "corpus"] | None = None) -> list[Entry]:
    """What exists, as `kontrast suites list` shows it: all, or those with a language or pair, or of a kind.

    >>> import kontrast
    >>> [each.name for each in kontrast.entries("en-de", "corpus")][:1]
    ['opensubtitles2018-en-de']
    """
    from kontrast.suites import catalogue as room

    return [
        each
        for each in room.entries()
        if (kind is None or each.kind == kind)
        and (lang is None or any(lang == pair or lang in pair.split("-") for pair in each.languages))
    ]


def cite(*names: str) -> str:
    """BibTeX of these, each citation once, as `kontrast cite` prints it: entries of the catalogue, suites, kontrast.

    >>> import kontrast
    >>> kontrast.cite("contrapro").startswith("@")
    True
    """
    return "\n\n".join(dict.fromkeys(text for name in names if (text := _citation(name).strip())))


def _citation(name: str) -> str:
    from kontrast.reporting.paper import KONTRAST
    from kontrast.suites.formats import load

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

    Where a score file with a published result came along, its result is computed again: ``published_right`` and
    ``published_total`` are what was found.

    >>> import tempfile
    >>> import kontrast
    >>> kontrast.fetch_suite("contrapo")
    Traceback (most recent call last):
    kontrast.errors.KontrastError: there is no 'contrapo' in the catalogue; did you mean contrapro?
    """
    from kontrast.suites import fetch as room
    from kontrast.testsets.originals import original_texts

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
    differing = 0
    if wanted or documents is not None:
        span = parse_span(wanted) if wanted else ContextSpan(previous=1)
        first = first_segment(loaded, target, None)
        folder = None
        if documents is not None:
            languages = source or loaded.source_language or "en", target or loaded.target_language or "de"
            folder = Documents(documents, language_code(languages[0]), language_code(languages[1]))
            differing = check_segments(loaded, folder, first)
        loaded = with_context(loaded, folder, span, first_segment=first)
    joined = load_scheme(scheme, config) if isinstance(scheme, str) else scheme or SCHEMES["space"]
    around = bool(wanted) or documents is not None
    lines = [
        "".join(joined.render(item.source_context or (), item.source, item.source_next or ()))
        if around
        else item.source
        for item in loaded.items
    ]
    path = Path(out) / f"{file_name(loaded.name)}.items.src"
    files.write_columns({path: lines})
    return Extraction([str(path)], len(lines), len(lines), differing)
