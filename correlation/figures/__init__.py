"""Figures as Vega-Lite specifications: plain dictionaries, used for pages, PNG, SVG and PDF.

Colour is never the only encoding: shapes, labels and lightness carry the same information, for colour-blind readers
and for print in greyscale.
"""

from correlation.figures.forest import draw_forest
from correlation.figures.heatmap import draw_differences
from correlation.figures.intervals import NamedInterval, draw_intervals
from correlation.figures.multiverse import draw_multiverse
from correlation.figures.ranking import draw_ranking
from correlation.figures.rendering import CONTENT_TYPES, render
from correlation.figures.robustness import draw_robustness
from correlation.figures.scatter import draw_scatter

__all__ = [
    "CONTENT_TYPES",
    "NamedInterval",
    "draw_differences",
    "draw_forest",
    "draw_intervals",
    "draw_multiverse",
    "draw_ranking",
    "draw_robustness",
    "draw_scatter",
    "render",
]
