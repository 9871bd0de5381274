"""Figures as Vega-Lite specifications: one plain dictionary for the page, PNG, SVG and PDF alike.

Colour never says anything alone: shapes, labels and lightness say the same, for readers who do not tell colours apart
and for print in grey.
"""

from correlation.figures.forest import draw_forest
from correlation.figures.heatmap import draw_differences
from correlation.figures.multiverse import draw_multiverse
from correlation.figures.rendering import CONTENT_TYPES, render
from correlation.figures.robustness import draw_robustness
from correlation.figures.scatter import draw_scatter

__all__ = [
    "CONTENT_TYPES",
    "draw_differences",
    "draw_forest",
    "draw_multiverse",
    "draw_robustness",
    "draw_scatter",
    "render",
]
