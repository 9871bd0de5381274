"""The content types of the files that results are downloaded as, by their endings, and responses with such files."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from django.http import HttpResponse, StreamingHttpResponse

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


def send_file(content: bytes, *, file_name: str, is_shown: bool = False) -> HttpResponse:
    """Return a file, which a browser shows on a page or stores under its name."""
    headers = {} if is_shown else _make_headers(file_name)
    return HttpResponse(content, content_type=_find_content_type(file_name), headers=headers)


def send_lines(lines: Iterable[str | bytes], *, file_name: str, content_type: str = "") -> StreamingHttpResponse:
    """Return a file that is generated while it is sent; with a content type if its ending does not tell it."""
    content_type = content_type or _find_content_type(file_name)
    return StreamingHttpResponse(lines, content_type=content_type, headers=_make_headers(file_name))


def _find_content_type(file_name: str) -> str:
    return CONTENT_TYPES[file_name.rpartition(".")[2]]


def _make_headers(file_name: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="{file_name}"'}
