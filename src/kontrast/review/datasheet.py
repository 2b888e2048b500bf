"""The datasheet of a reviewed suite: who decided what, when, how well they agreed, by which guidelines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import median

from kontrast import __version__
from kontrast.review.agreement import Agreement, Measure
from kontrast.review.index import FINAL
from kontrast.review.outcome import agreed
from kontrast.review.store import ReviewDecision, ReviewStore
from kontrast.suites.lint.finding import Finding
from kontrast.suites.model import Suite


def datasheet(
    store: ReviewStore, suites: Sequence[Suite], tally: Counter[str], findings: Sequence[Finding], guide: str
) -> str:
    """The datasheet as Markdown."""
    return "\n".join(_lines(store, suites, tally, findings, guide)) + "\n"


def _lines(
    store: ReviewStore, suites: Sequence[Suite], tally: Counter[str], findings: Sequence[Finding], guide: str
) -> Iterator[str]:
    standing = list(store.standing())
    names = store.names()
    yield from (f"# {store.get('name')}: datasheet of the review", "")
    for suite in suites:
        languages = "→".join(code or "?" for code in (suite.source_language, suite.target_language))
        size = f"{len(suite.items):,} items, {suite.row_count:,} variants"
        yield f"- {suite.name}: {size}, {languages}, hash {suite.fingerprint[:8]}"
    yield f"- read from a file with SHA-256 {(store.get('fingerprint') or 'unknown')[:16]}…; kontrast {__version__}"
    yield from ("", "## Decisions", "", "| outcome | candidates |", "|---|---|")
    for status, words in (
        ("accepted", "accepted"),
        ("rejected", "rejected"),
        ("disputed", "annotators differ, not adjudicated (left out)"),
        ("open", "not decided"),
    ):
        yield f"| {words} | {tally[status]:,} |"
    yield from (
        "",
        "## Annotators",
        "",
        "| annotator | decisions | accepted | changed | rejected | first | last | median seconds |",
    )
    yield "|---|---|---|---|---|---|---|---|"
    for number in sorted({made.made_by for made in standing}):
        own = [made for made in standing if made.made_by == number and made.annotator != FINAL]
        final = [made for made in standing if made.made_by == number and made.annotator == FINAL]
        for label, made in ((names[number], own), (f"{names[number]} (adjudication)", final)):
            if made:
                yield _reader(label, made)
    yield from _agreement(agreed(store))
    reasons = Counter(made.reason for made in standing if made.status == "rejected")
    if reasons:
        yield from ("", "## Reasons for rejecting", "", "| reason | decisions |", "|---|---|")
        yield from (f"| {_cell(reason) or 'none given'} | {n:,} |" for reason, n in reasons.most_common())
    yield from ("", "## Lint of the exported suite", "")
    yield from [f"- {f.level}: {f.message} (`{f.id}`)" for f in findings] or ["Nothing was found."]
    yield from ("", "## Guidelines", "")
    yield from [f"> {line}".rstrip() for line in guide.splitlines()] or ["None were given."]


def _reader(label: str, made: Sequence[ReviewDecision]) -> str:
    tally = Counter(decision.status for decision in made)
    times = sorted(decision.at for decision in made)
    seconds = [decision.seconds for decision in made if decision.seconds is not None]
    pace = f"{median(seconds):.1f}" if seconds else "–"
    counts = f"{len(made):,} | {tally['accepted']:,} | {tally['changed']:,} | {tally['rejected']:,}"
    return f"| {_cell(label)} | {counts} | {times[0][:10]} | {times[-1][:10]} | {pace} |"


def _agreement(found: Agreement) -> Iterator[str]:
    yield from ("", "## Agreement", "")
    if not found.entries:
        yield "No candidate was decided by two annotators."
        return
    yield (
        f"Accept or reject, {found.entries:,} candidates that two or more of {found.readers} annotators decided: "
        f"Krippendorff's α {_measure(found.alpha)}."
    )
    yield from ("", "| readers | candidates | agreed | Cohen's κ |", "|---|---|---|---|")
    for pair in found.pairs:
        kappa = _measure(pair.kappa)
        yield f"| {_cell(pair.a)}, {_cell(pair.b)} | {pair.entries:,} | {100 * pair.agreed:.1f}% | {kappa} |"
    yield from ("", "Intervals: 95%, bootstrap over candidates.")


def _measure(found: Measure) -> str:
    if found.value is None:
        return "not defined (one category was used)"
    return f"{found.value:.3f} [{found.low:.3f}, {found.high:.3f}]"


def _cell(text: str) -> str:
    """Text that cannot break the table, nor be markup."""
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;").replace("\n", " ")
