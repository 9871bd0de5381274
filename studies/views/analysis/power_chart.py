"""The power curve of a plan as coordinates for an SVG; a table shows the same numbers."""

from dataclasses import dataclass
from typing import Final

from correlation.planning.sizes import Plan
from studies.monitoring.live.bars import round_up

WIDTH, HEIGHT, LEFT, RIGHT, HEAD, FOOT = 640, 260, 52, 628, 12, 30
"""The size of the chart, and its margins."""
_POWERS: Final = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
_N_TICKS: Final = 4


@dataclass(frozen=True, slots=True)
class Place:
    """A position in the chart."""

    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Tick:
    """A value on an axis, as text, and its position along the axis."""

    at: float
    label: str


@dataclass(frozen=True, slots=True)
class PowerChart:
    """The curve as the path of an SVG, the position of the plan on it, and the axes."""

    path: str
    at: Place
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    text: str
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = RIGHT

    @property
    def foot(self) -> int:
        """The vertical position of labels below the axis."""
        return self.height - 8

    @property
    def ground(self) -> int:
        """The vertical position of a power of zero."""
        return self.height - FOOT


def draw_power(plan: Plan) -> PowerChart:
    """Return the chart of a plan's curve, which must not be empty."""
    most = round_up(plan.curve[-1].n)

    def place(n: float, power: float) -> Place:
        return Place(LEFT + (RIGHT - LEFT) * n / most, HEIGHT - FOOT - (HEIGHT - FOOT - HEAD) * power)

    points = [place(point.n, point.power) for point in plan.curve]
    path = " ".join(f"{'L' if number else 'M'}{each.x:.1f} {each.y:.1f}" for number, each in enumerate(points))
    sizes = [most * step / _N_TICKS for step in range(_N_TICKS + 1)]
    half = next((point for point in plan.curve if point.n * 2 >= plan.n), plan.curve[0])
    return PowerChart(
        path=path,
        at=place(plan.n, plan.power),
        x_ticks=tuple(Tick(place(size, 0).x, f"{size:,.0f}") for size in sizes if size == int(size)),
        y_ticks=tuple(Tick(place(0, power).y, f"{power:.0%}".replace("%", " %")) for power in _POWERS),
        text=f"Power curve: {plan.power:.0%} with {plan.n:,} {plan.unit}, {half.power:.0%} with {half.n:,}, "
        f"{plan.curve[-1].power:.0%} with {plan.curve[-1].n:,}. All numbers are in the table below.",
    )
