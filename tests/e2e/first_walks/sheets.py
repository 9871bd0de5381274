"""Draws the pictures of a film as one sheet: each with a strip above it that has the clock and the clicks."""

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from textwrap import shorten

from PIL import Image, ImageDraw, ImageFont

from tests.e2e.first_walks.film import Shot

_COLUMNS, _WIDTH, _GAP = 3, 560, 12
_STRIP, _MARGIN, _SIZE = 52, 8, 17
_LETTERS = 62
_PAPER, _INK, _FAINT, _LINE = "#ffffff", "#16181d", "#555b66", "#c9ced6"
_QUALITIES = range(80, 20, -5)


def print_clock(seconds: float) -> str:
    """Return minutes and seconds.

    >>> print_clock(75.4)
    '1:15'
    """
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02}"


def write_sheet(shots: Sequence[Shot], path: Path, *, most_bytes: int) -> None:
    """Write a sheet as WebP, with the best quality that is within the limit.

    Raises:
        ValueError: The sheet is larger even with the lowest quality.
    """
    cells = [_draw_cell(shot, number) for number, shot in enumerate(shots, start=1)]
    write_webp(lay_out(cells, columns=min(_COLUMNS, len(cells))), path, most_bytes=most_bytes)


def lay_out(cells: Sequence[Image.Image], *, columns: int) -> Image.Image:
    """Return pictures of one size in rows."""
    width, height = cells[0].width + _GAP, cells[0].height + _GAP
    n_rows = -(-len(cells) // columns)
    sheet = Image.new("RGB", (columns * width + _GAP, n_rows * height + _GAP), _LINE)
    for place, cell in enumerate(cells):
        row, column = divmod(place, columns)
        sheet.paste(cell, (_GAP + column * width, _GAP + row * height))
    return sheet


def write_webp(picture: Image.Image, path: Path, *, most_bytes: int) -> None:
    """Write a picture with the best quality that is within the limit.

    Raises:
        ValueError: It is larger even with the lowest quality.
    """
    for quality in _QUALITIES:
        written = BytesIO()
        picture.save(written, "WEBP", quality=quality, method=6)
        if written.tell() <= most_bytes:
            path.write_bytes(written.getvalue())
            return
    raise ValueError(f"{path.name} has {written.tell():,} bytes with the lowest quality; the limit is {most_bytes:,}")


def draw_strip(width: int, first: str, second: str) -> Image.Image:
    """Return two lines of text, to set above a picture."""
    strip = Image.new("RGB", (width, _STRIP), _PAPER)
    drawing, font = ImageDraw.Draw(strip), ImageFont.load_default(_SIZE)
    drawing.text((_MARGIN, 4), first, font=font, fill=_INK)
    drawing.text((_MARGIN, 27), second, font=font, fill=_FAINT)
    return strip


def _draw_cell(shot: Shot, number: int) -> Image.Image:
    shown = Image.open(BytesIO(shot.picture)).convert("RGB")
    shown = shown.resize((_WIDTH, round(shown.height * _WIDTH / shown.width)), Image.Resampling.LANCZOS)
    cell = Image.new("RGB", (_WIDTH, _STRIP + shown.height), _PAPER)
    clicks = "1 click" if shot.n_clicks == 1 else f"{shot.n_clicks} clicks"
    second = f"{print_clock(shot.seconds)}   {clicks}"
    cell.paste(draw_strip(_WIDTH, shorten(f"{number}. {shot.text}", _LETTERS), second), (0, 0))
    cell.paste(shown, (0, _STRIP))
    return cell
