"""Tests of the sheets of pictures: layout, limits, and the block of a page."""

from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.e2e.first_walks.film import Film, Shot
from tests.e2e.first_walks.page import PAGE, write_walk
from tests.e2e.first_walks.sheets import lay_out, print_clock, write_sheet, write_webp
from tests.e2e.first_walks.walks import Walked


def make_shot(*, seconds: float = 0.0) -> Shot:
    picture = BytesIO()
    Image.new("RGB", (1280, 900), "teal").save(picture, "PNG")
    return Shot("New study", is_click=True, n_clicks=1, seconds=seconds, picture=picture.getvalue())


@pytest.mark.parametrize(("seconds", "shown"), [(0.4, "0:00"), (59.6, "1:00"), (75.4, "1:15"), (600, "10:00")])
def test_clock(seconds: float, shown: str) -> None:
    assert print_clock(seconds) == shown


def test_rows_are_filled_in_order() -> None:
    colors = ("red", "lime", "blue", "black")

    sheet = lay_out([Image.new("RGB", (100, 50), color) for color in colors], columns=3)

    centres = [(62, 37), (174, 37), (286, 37), (62, 99)]
    assert [sheet.getpixel(centre) for centre in centres] == [(255, 0, 0), (0, 255, 0), (0, 0, 255), (0, 0, 0)]


def test_strip_is_above_the_picture(tmp_path: Path) -> None:
    write_sheet([make_shot()], tmp_path / "sheet.webp", most_bytes=100_000)

    sheet = Image.open(tmp_path / "sheet.webp").convert("RGB")
    top, below = np.asarray(sheet.crop((20, 16, 560, 62))), np.asarray(sheet.crop((20, 70, 560, 440)))
    assert top.max() > 240
    assert top.min() < 90
    assert np.ptp(below, axis=(0, 1)).max() < 8


def test_quality_is_lowered_to_the_limit_and_no_further(tmp_path: Path) -> None:
    noise = np.random.default_rng(0).integers(0, 256, size=(400, 400, 3), dtype=np.uint8)
    picture, path = Image.fromarray(noise), tmp_path / "noise.webp"
    write_webp(picture, path, most_bytes=10_000_000)
    best = path.stat().st_size

    write_webp(picture, path, most_bytes=best - 1)

    assert path.stat().st_size < best
    with pytest.raises(ValueError, match="the limit is 1,000"):
        write_webp(picture, path, most_bytes=1000)


def test_walk_is_written_into_its_block_of_the_page(tmp_path: Path) -> None:
    film = Film()
    film.shots, film.n_clicks = [make_shot(seconds=65)], 1
    (tmp_path / "images").mkdir()
    (tmp_path / PAGE).write_text("Above.\n<!-- demo -->\nold\n<!-- end of demo -->\nBelow.\n")

    write_walk("demo", Walked(film, "It agrees."), tmp_path, setting_up=30.2)

    written = (tmp_path / PAGE).read_text()
    assert "old" not in written
    assert "1 click, 0 fields typed, 0 files dropped, 1:05 minutes" in written
    assert "| 1 | New study | 1 | 1:05 |" in written
    assert written.startswith("Above.\n")
    assert written.endswith("Below.\n")
    assert (tmp_path / "images" / "first-walk-demo.webp").exists()
    with pytest.raises(ValueError, match="no block report"):
        write_walk("report", Walked(film, "It agrees."), tmp_path, setting_up=1.0)
