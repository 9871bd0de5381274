"""The multiverse figure: how often each metric has each rank, and how analysis choices affect the mean rank."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from correlation.figures.style import DARK_FROM, INK, RULES, SHADES, TEXT, frame_figure, head_figure, head_panel
from correlation.protocols.multiverse import Multiverse, Universe
from correlation.reports.layout import TITLES

CELL_WIDTH, CELL_HEIGHT = 52, 28
UNDEFINED = "none"

# Title of a panel -> the option that a universe uses.
CHOICES: Mapping[str, Callable[[Universe], str]] = MappingProxyType(
    {
        "aggregation": lambda universe: universe.aggregation,
        "level": lambda universe: universe.level,
        "coefficient": lambda universe: TITLES[universe.coefficient],
    }
)


def draw_multiverse(multiverse: Multiverse, *, title: str = "") -> dict[str, Any]:
    """Return the specification of the multiverse figure, with the metrics as rows, the most frequent winner on top.

    The first panel shows the share of universes in which a metric has each rank (1 = best; `none` = undefined). Each
    choice with more than one option has a panel with the mean rank for each option. Darker is better or more frequent,
    and each cell contains its number.
    """
    names = _order_metrics(multiverse)
    panels = [_draw_ranks(multiverse, names)]
    panels += [
        _draw_choice(multiverse, names, choice, choose)
        for choice, choose in CHOICES.items()
        if len({choose(universe) for universe in multiverse.universes}) > 1
    ]
    return frame_figure(
        title=head_figure(title, [f"{len(multiverse.universes)} universes: every way to analyse the same data."]),
        hconcat=panels,
        spacing=26,
    )


def _order_metrics(multiverse: Multiverse) -> list[str]:
    def place(number: int) -> tuple[float, float, str]:
        mean = _average_rank([universe.ranks[number] for universe in multiverse.universes])
        return -multiverse.wins[number], float("inf") if mean is None else mean, multiverse.metrics[number]

    return [multiverse.metrics[number] for number in sorted(range(len(multiverse.metrics)), key=place)]


def _average_rank(ranks: Sequence[int | None]) -> float | None:
    """The mean of the defined ranks; None if there are none."""
    defined = [rank for rank in ranks if rank is not None]
    return sum(defined) / len(defined) if defined else None


def _draw_ranks(multiverse: Multiverse, names: Sequence[str]) -> dict[str, Any]:
    """Share of universes by metric and rank; ranks that do not occur are empty cells."""
    n_universes = len(multiverse.universes)
    cells = []
    for number, name in enumerate(multiverse.metrics):
        ranks = [universe.ranks[number] for universe in multiverse.universes]
        for rank in dict.fromkeys(ranks):
            share = ranks.count(rank) / n_universes
            option = UNDEFINED if rank is None else str(rank)
            cells.append({"metric": name, "option": option, "shade": share, "printed": f"{100 * share:.0f} %"})
    options = [str(rank) for rank in range(1, len(names) + 1)]
    options += [UNDEFINED] if any(cell["option"] == UNDEFINED for cell in cells) else []
    return _draw_panel(cells, names, options, title="share of universes with rank", has_names=True, angle=0)


def _draw_choice(
    multiverse: Multiverse, names: Sequence[str], choice: str, choose: Callable[[Universe], str]
) -> dict[str, Any]:
    """Mean rank by metric and option of a choice; the best possible rank has the darkest shade."""
    options = list(dict.fromkeys(choose(universe) for universe in multiverse.universes))
    span = max(len(names) - 1, 1)
    cells = []
    for number, name in enumerate(multiverse.metrics):
        for option in options:
            ranks = [universe.ranks[number] for universe in multiverse.universes if choose(universe) == option]
            mean = _average_rank(ranks)
            shade = 0.0 if mean is None else 1 - (mean - 1) / span
            printed = "n/a" if mean is None else f"{mean:.1f}"
            cells.append({"metric": name, "option": option, "shade": shade, "printed": printed})
    return _draw_panel(cells, names, options, title=f"mean rank by {choice}", has_names=False, angle=-40)


def _draw_panel(
    cells: Sequence[dict[str, Any]],
    names: Sequence[str],
    options: Sequence[str],
    *,
    title: str,
    has_names: bool,
    angle: int,
) -> dict[str, Any]:
    axis = {"ticks": False, "domain": False, "grid": False, "labelPadding": 8, "labelLimit": 260}
    letters = {
        "condition": {"test": {"field": "is_dark", "equal": True}, "value": "white"},
        "value": INK,
    }
    return {
        "title": head_panel(title, color=TEXT),
        "width": CELL_WIDTH * len(options),
        "height": CELL_HEIGHT * len(names),
        "data": {"values": [cell | {"panel": title, "is_dark": cell["shade"] >= DARK_FROM} for cell in cells]},
        "encoding": {
            "y": {
                "field": "metric",
                "type": "nominal",
                "title": None,
                "scale": {"domain": list(names)},
                "axis": axis if has_names else None,
            },
            "x": {
                "field": "option",
                "type": "nominal",
                "title": None,
                "scale": {"domain": list(options)},
                "axis": axis | {"labelAngle": angle},
            },
        },
        "layer": [
            {
                "mark": {"type": "rect", "stroke": RULES, "strokeWidth": 1},
                "encoding": {
                    "color": {
                        "field": "shade",
                        "type": "quantitative",
                        "scale": {"domain": [0, 1], "range": list(SHADES)},
                        "legend": None,
                    }
                },
            },
            {
                "mark": {"type": "text", "fontSize": 12},
                "encoding": {"text": {"field": "printed"}, "color": letters},
            },
        ],
    }
