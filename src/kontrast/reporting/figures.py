"""Figures with Altair, drawn to SVG, PNG or PDF offline by vl-convert. Input is plain points; no statistics here.

Charts inside a page take their ink from the page (``currentColor``), so that light and dark both read well.

Results as Altair charts, for notebooks: ``result.plot()``.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from kontrast.errors import InputError, KontrastError
from kontrast.extras import altair as alt
from kontrast.extras import vl_convert
from kontrast.judging.records import Comparison, Evaluation, Evaluations
from kontrast.reporting.terminal import clean

PALETTE = ("#3a7ca5", "#d1712b", "#4f9d69", "#b0577a", "#8a7fc7", "#9a8c34", "#5f9ea0", "#a05a4f")
"""Colours that stand apart on white and on near-black, also for most colour-blind readers."""

_CHARACTER, _SYMBOL = 7.5, 44
"""Room of a character of a system's name, in the widest of usual fonts, and of its symbol in a legend."""
_ROOM, _WIDEST = 400, 420
COLUMN = 240
"""The width of a column of a paper, in points."""

Chart = Any


class Point(msgspec.Struct, frozen=True):
    """One value with its interval, of one system, in one group (a phenomenon, a bin of distance …)."""

    group: str
    system: str
    value: float
    low: float
    high: float
    n: int = 0


def intervals(
    points: Sequence[Point],
    *,
    reference: Mapping[str, float] | None = None,
    title: str = "accuracy",
    domain: tuple[float, float] = (0, 1),
) -> Chart:
    """A dot with its interval for each group and system; a grey tick marks each group's ``reference`` (chance)."""
    chart, width, systems, groups = _of_points(points, beside=True)
    reference = {clean(group): value for group, value in (reference or {}).items()}
    height = band(len(systems))
    axis = alt.Axis(labelLimit=240, labelPadding=9, ticks=False, domain=False)
    base = chart.encode(
        y=alt.Y("group:N", sort=groups, title=None, axis=axis),
        yOffset=alt.YOffset("system:N", sort=systems, scale=alt.Scale(paddingOuter=0.4)),
    )
    x = alt.X("low:Q", scale=alt.Scale(domain=list(domain)), title=title, axis=alt.Axis(format="%", tickCount=6))
    bars = base.mark_rule(strokeWidth=2.5, opacity=0.65).encode(x=x, x2="high:Q")
    dots = base.mark_circle(size=55, opacity=1).encode(x="value:Q")
    layers = [bars, dots]
    if reference:
        ticks = alt.Data(values=[{"group": g, "value": reference[g]} for g in groups if g in reference])
        marks = alt.Chart(ticks).mark_tick(color="#8d8d8d", thickness=2, size=height * 0.8, opacity=0.8)
        layers.insert(0, marks.encode(y=alt.Y("group:N", sort=groups), x="value:Q"))
    return alt.layer(*layers).properties(width=width, height=height * len(groups))


def _of_points(points: Sequence[Point], *, beside: bool = False) -> tuple[Chart, float, list[str], list[str]]:
    """A chart of points in the colours of their systems, its width; systems and groups in the order they come in.

    All are drawn at one width, so that their type has one size on the page; names may stand ``beside`` the plot.
    """
    # Names become code of the chart, in which some characters would end a line.
    rows = [{**msgspec.structs.asdict(p), "group": clean(p.group), "system": clean(p.system)} for p in points]
    systems, groups = (list(dict.fromkeys(str(row[name]) for row in rows)) for name in ("system", "group"))
    room = max(180, 430 - min(240, 6.2 * max(map(len, groups), default=0))) if beside else _ROOM
    chart = alt.Chart(alt.Data(values=rows)).encode(color=_colour(systems, room))
    return chart, max(room, _legend_width(systems, room)), systems, groups


def band(systems: int) -> int:
    """The height of a group in `intervals`."""
    return 10 + 12 * systems


def curves(points: Sequence[Point], *, x: str, y: str = "accuracy") -> Chart:
    """A share over ordered bins, a line with a band for each system. Bins keep the order they come in."""
    chart, width, _, groups = _of_points(points)
    axis = alt.Axis(labelAngle=0 if len(groups) < 13 else -45)
    base = chart.encode(x=alt.X("group:N", sort=groups, title=clean(x), axis=axis))
    share = alt.Y("value:Q", title=y, scale=alt.Scale(zero=False, nice=True), axis=alt.Axis(format="%"))
    band = base.mark_area(opacity=0.14).encode(y=alt.Y("low:Q", title=y), y2="high:Q")
    return alt.layer(
        band, base.mark_line(strokeWidth=2).encode(y=share), base.mark_circle(size=45, opacity=1).encode(y=share)
    ).properties(width=width, height=220)


def calibration(points: Sequence[tuple[float, Point]], *, x: str, y: str, ticks: Sequence[float]) -> Chart:
    """Shares found over shares predicted, with intervals; on the dashed line the two are equal.

    Both axes are square roots, so that small shares, of which there are most, have room.
    """
    rows = [{"x": predicted, **msgspec.structs.asdict(point)} for predicted, point in points]
    scale, axis = alt.Scale(type="sqrt", domain=[0, 1]), alt.Axis(format="%", values=list(ticks), labelOverlap=True)
    base = alt.Chart(alt.Data(values=rows)).encode(x=alt.X("x:Q", title=x, scale=scale, axis=axis))
    share = alt.Y("value:Q", title=y, scale=scale, axis=axis)
    equal = alt.Data(values=[{"x": end, "value": end} for end in (0, 1)])
    ink = {"color": PALETTE[0], "opacity": 1}
    return alt.layer(
        alt.Chart(equal).mark_line(strokeDash=[4, 3], color="#8d8d8d").encode(x="x:Q", y="value:Q"),
        base.mark_rule(strokeWidth=2.5, color=PALETTE[0], opacity=0.65).encode(
            y=alt.Y("low:Q", title=y), y2="high:Q"
        ),
        base.mark_circle(size=55, **ink).encode(y=share),
    ).properties(width=400, height=300)


def histogram(values: Mapping[str, Sequence[float]], *, x: str, bins: int = 40) -> Chart:
    """How many decisions fall into each bin of a value, a stepped outline for each system, zero marked."""
    values = {clean(system): numbers for system, numbers in values.items()}
    rows = [
        {"system": system, "x": edge, "share": share}
        for system, numbers in values.items()
        for edge, share in _binned(numbers, list(values.values()), bins)
    ]
    systems = list(values)
    base = alt.Chart(alt.Data(values=rows)).encode(
        x=alt.X("x:Q", title=x, axis=alt.Axis(labelFlush=False)),
        y=alt.Y("share:Q", title="share of decisions", axis=alt.Axis(format="%"), stack=None),
        color=_colour(systems, _ROOM),
    )
    zero = alt.Chart(alt.Data(values=[{"x": 0}])).mark_rule(strokeDash=[4, 3], color="#8d8d8d").encode(x="x:Q")
    area = base.mark_area(interpolate="step-after", opacity=0.16)
    line = base.mark_line(interpolate="step-after", strokeWidth=1.6)
    return alt.layer(area, line, zero).properties(width=max(_ROOM, _legend_width(systems, _ROOM)), height=220)


_LARGEST = 1e300


def _binned(numbers: Sequence[float], everyone: Sequence[Sequence[float]], bins: int) -> list[tuple[float, float]]:
    import numpy as np

    # The width of the whole range must be a number too.
    own = np.clip(numbers, -_LARGEST, _LARGEST)
    pooled = np.clip(np.concatenate([np.asarray(v, dtype=float) for v in everyone]), -_LARGEST, _LARGEST)
    low, high = (float(q) for q in np.quantile(pooled, [0.005, 0.995]))
    reach = max(abs(low), abs(high)) or 1.0
    low, high = (min(low, -reach / bins), max(high, reach / bins))
    counts, edges = np.histogram(np.clip(own, low, high), bins=bins, range=(low, high))
    total = max(len(numbers), 1)
    steps = [(float(edge), float(count) / total) for edge, count in zip(edges, counts, strict=False)]
    return [*steps, (float(edges[-1]), 0.0)]


def to_svg(chart: Chart) -> str:
    """The chart as an SVG element for a page, its ink the page's own."""
    svg: str = vl_convert.vegalite_to_svg(_styled(chart, "currentColor", "transparent"))
    return svg


def save_figure(chart: Chart, path: str | Path) -> None:
    """Write ``.svg``, ``.png`` or ``.pdf`` with dark ink on white, as wide as a column of a paper."""
    path = Path(path)
    spec = _styled(chart, "#222222", "white")
    if path.suffix not in (".svg", ".png", ".pdf"):
        raise InputError(path, "the name of a figure must end in .svg, .png or .pdf")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        svg: str = vl_convert.vegalite_to_svg(spec)
        width, height = (float(found) for found in re.findall(r'(?:width|height)="([\d.]+)"', svg)[:2])
        scale = min(1.0, COLUMN / width)
        size = f'width="{scale * width:.1f}" height="{scale * height:.1f}"'
        svg = re.sub(r'width="[\d.]+" height="[\d.]+"', size, svg, count=1)
        if path.suffix == ".svg":
            path.write_text(svg, encoding="utf-8")
        elif path.suffix == ".png":
            path.write_bytes(vl_convert.svg_to_png(svg, scale=4))
        else:
            path.write_bytes(vl_convert.svg_to_pdf(svg))
    except OSError as error:
        raise InputError(path, f"cannot be written ({error.strerror or error})") from error


def _styled(chart: Chart, ink: str, background: str) -> dict[str, Any]:
    inked = {f"{part}Color": ink for part in ("label", "title", "tick", "domain", "grid")}
    fonts = {"labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": "normal"}
    spec: dict[str, Any] = chart.configure(
        background=background,
        font="system-ui, sans-serif",
        axis={**inked, **fonts, "gridOpacity": 0.13, "domainOpacity": 0.4, "tickOpacity": 0.4},
        legend={
            "labelColor": ink,
            "titleColor": ink,
            **fonts,
            "orient": "top",
            "title": None,
            "labelLimit": _WIDEST - 20,
            "columnPadding": 24,
            "symbolOpacity": 1,
        },
        padding={"left": 28, "right": 8, "top": 4, "bottom": 4},
        view={"stroke": None},
    ).to_dict()
    return spec


def _colour(systems: Sequence[str], room: float) -> Any:
    scale = alt.Scale(domain=list(systems), range=[PALETTE[i % len(PALETTE)] for i in range(len(systems))])
    legend = alt.Legend(columns=1) if _legend_width(systems, room) else alt.Legend()
    return alt.Color("system:N", scale=scale, legend=legend if len(systems) > 1 else None)


def _legend_width(systems: Sequence[str], room: float) -> float:
    """The width that names need below each other; 0 if they fit in one line of this room."""
    line = sum(_SYMBOL + _CHARACTER * len(system) for system in systems)
    if len(systems) < 2 or line <= room:
        return 0
    return min(_WIDEST, 10 + _CHARACTER * max(map(len, systems)))


def plot(result: Any, by: str = "phenomenon") -> Any:
    """Accuracy by a tag with intervals, or the differences of a comparison; in total where the tag is not there."""
    if isinstance(result, Evaluation):
        return _accuracies((result,), by)
    if isinstance(result, Evaluations):
        return _accuracies(result.systems, by)
    if isinstance(result, Comparison):
        rows = next((b.groups for b in result.by if b.by == by), result.total)
        points = [
            Point(row.label, f"{row.b} − {row.a}", row.difference, row.interval.low, row.interval.high, row.items)
            for row in rows
        ]
        return intervals(
            points,
            title="difference in accuracy",
            domain=(-1, 1),
            reference=dict.fromkeys((p.group for p in points), 0.0),
        )
    raise KontrastError(f"there is no chart of {type(result).__name__}; evaluate and compare have one")


def _accuracies(systems: tuple[Evaluation, ...], by: str) -> Any:
    points, chance = [], {}
    for system in systems:
        groups = next((b.groups for b in system.by if b.by == by), None)
        for label, each in [(g.label, g) for g in groups] if groups is not None else [("total", system)]:
            points.append(
                Point(label, system.system, each.accuracy, each.interval.low, each.interval.high, each.items)
            )
            chance[label] = each.chance
    return intervals(points, reference=chance)
