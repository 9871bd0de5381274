"""Draw a page of examples of a set: images with true and minimally false captions."""

import textwrap
from typing import TYPE_CHECKING

from captioning.worlds.instances import Instance, make_contrast
from captioning.worlds.language import write_sentence
from captioning.worlds.rendering import render_world
from captioning.worlds.specs import Spec

if TYPE_CHECKING:
    from PIL.Image import Image

_CELL_WIDTH, _CELL_HEIGHT, _IMAGE_SIDE, _GAP, _LINE = 420, 450, 224, 14, 17
_LETTERS = 54
_COLORS = {True: "#14663a", False: "#a3211b"}


def draw_contact_sheet(spec: Spec, *, n_images: int = 9, n_columns: int = 3, split: str = "test") -> "Image":
    """Return a page of the first instances of a split, each with two true and two false captions."""
    from PIL import Image, ImageDraw, ImageFont

    n_rows = -(-n_images // n_columns)
    page = Image.new("RGB", (n_columns * _CELL_WIDTH + _GAP, n_rows * _CELL_HEIGHT + 3 * _GAP + _LINE), "white")
    draw = ImageDraw.Draw(page)
    font = ImageFont.load_default(size=14)
    draw.text((_GAP, _GAP), f"{spec.title} ({spec.name}@{spec.version}, {split})", fill="black", font=font)
    for place in range(n_images):
        instance = make_contrast(spec, split=split, index=place, n_true=2, n_false=2)
        left = _GAP + place % n_columns * _CELL_WIDTH
        top = 2 * _GAP + _LINE + place // n_columns * _CELL_HEIGHT
        image = Image.fromarray(render_world(instance.world)).resize(
            (_IMAGE_SIDE, _IMAGE_SIDE), Image.Resampling.NEAREST
        )
        page.paste(image, (left, top))
        y = top + _IMAGE_SIDE + _GAP // 2
        for text, color in _list_lines(instance):
            draw.text((left, y), text, fill=color, font=font)
            y += _LINE
    return page


def _list_lines(instance: Instance) -> list[tuple[str, str]]:
    lines: list[tuple[str, str]] = []
    for caption in instance.captions:
        said = f"{'True' if caption.is_true else f'False ({caption.edit})'}: {write_sentence(caption.text)}"
        lines += [(line, _COLORS[caption.is_true]) for line in textwrap.wrap(said, _LETTERS, subsequent_indent="   ")]
    return lines
