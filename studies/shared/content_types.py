"""The content types of the files that results are downloaded as, by their endings."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from correlation.figures.rendering import CONTENT_TYPES as FIGURE_TYPES

FIGURE_FORMATS: Final = ("svg", "pdf", "png")
PLOT_FORMATS: Final = (*FIGURE_FORMATS, "vega")
"""The formats of figures that a page draws again, so that readers can point at them."""
CONTENT_TYPES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "md": "text/markdown; charset=utf-8",
        "tex": "text/x-tex; charset=utf-8",
        "txt": "text/plain; charset=utf-8",
        "csv": "text/csv; charset=utf-8",
        "json": "application/json",
        **FIGURE_TYPES,
        "vega": "application/json",
    }
)
