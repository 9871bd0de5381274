"""A specification as a file: the page's SVG and a paper's PNG, SVG and PDF."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from correlation.errors import check_name

CONTENT_TYPES: Mapping[str, str] = MappingProxyType(
    {"svg": "image/svg+xml", "png": "image/png", "pdf": "application/pdf"}
)
# Pixels of a PNG to one of the specification: 192 in an inch.
SCALE = 2
# Entries of a PDF's dictionary of resources, such as `/gs1 9 0 R`.
RESOURCES = re.compile(rb"(?:^ +/[a-z]+\d+ \d+ 0 R\n){2,}", re.MULTILINE)


def render(specification: Mapping[str, Any], file_format: str) -> bytes:
    """The figure as a file of one of `CONTENT_TYPES`, with no need of a network.

    The same specification gives the same bytes, as long as one font has all its letters.

    Raises
    ------
    UnknownNameError
        No such format.
    """
    check_name("file format of a figure", file_format, RENDERERS)
    return RENDERERS[file_format](dict(specification))


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
    """A dictionary's entries in one order: the writer's own changes from run to run, and no offset depends on it."""
    return b"".join(sorted(found[0].splitlines(keepends=True)))


RENDERERS: Mapping[str, Callable[[dict[str, Any]], bytes]] = MappingProxyType(
    {"svg": _render_svg, "png": _render_png, "pdf": _render_pdf}
)
