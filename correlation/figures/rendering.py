"""Render specifications as PNG, SVG and PDF files."""

import json
import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from correlation.errors import check_name

CONTENT_TYPES: Mapping[str, str] = MappingProxyType(
    {"svg": "image/svg+xml", "png": "image/png", "pdf": "application/pdf"}
)
# PNG pixels per pixel of the specification: 192 per inch.
SCALE = 2
# Entries of a PDF resource dictionary, such as `/gs1 9 0 R`.
RESOURCES = re.compile(rb"(?:^ +/[a-z]+\d+ \d+ 0 R\n){2,}", re.MULTILINE)


def render(specification: Mapping[str, Any], file_format: str) -> bytes:
    """Render a figure as a file of one of `CONTENT_TYPES`, or as `vega`, without network access.

    `vega` is the result of `compile_figure` as JSON.

    The same specification gives the same bytes, provided that a single font contains all characters.

    Raises
    ------
    UnknownNameError
        The format is unknown.
    """
    check_name("file format of a figure", file_format, RENDERERS)
    return RENDERERS[file_format](dict(specification))


def compile_figure(specification: Mapping[str, Any]) -> dict[str, Any]:
    """Return a figure as a specification in Vega, which needs no compiler where it is drawn."""
    import vl_convert

    compiled: dict[str, Any] = vl_convert.vegalite_to_vega(dict(specification))
    return compiled


def _render_vega(specification: dict[str, Any]) -> bytes:
    return json.dumps(compile_figure(specification)).encode()


def _render_svg(specification: dict[str, Any]) -> bytes:
    import vl_convert

    return str(vl_convert.vegalite_to_svg(specification)).encode()


def _render_png(specification: dict[str, Any]) -> bytes:
    import vl_convert

    return bytes(vl_convert.vegalite_to_png(specification, scale=SCALE))


def _render_pdf(specification: dict[str, Any]) -> bytes:
    import vl_convert

    return RESOURCES.sub(_sort_lines, bytes(vl_convert.vegalite_to_pdf(specification)))


def _sort_lines(found: re.Match[bytes]) -> bytes:
    """Sort the entries of a dictionary, whose order varies between runs; this does not change any byte offset."""
    return b"".join(sorted(found[0].splitlines(keepends=True)))


RENDERERS: Mapping[str, Callable[[dict[str, Any]], bytes]] = MappingProxyType(
    {"svg": _render_svg, "png": _render_png, "pdf": _render_pdf, "vega": _render_vega}
)
