import re

import pytest

from correlation.errors import UnknownNameError
from correlation.figures import (
    CONTENT_TYPES,
    draw_differences,
    draw_forest,
    draw_multiverse,
    draw_robustness,
    draw_scatter,
    render,
)
from correlation.protocols.multiverse import Multiverse, Universe
from tests.correlation.reports.example import REPORT

FIGURES = {
    "scatter": draw_scatter([1, 2, 3], [1, 4, 4], judgment_title="people", score_title="cider"),
    "forest": draw_forest(REPORT),
    "differences": draw_differences(REPORT),
    "multiverse": draw_multiverse(
        Multiverse(("a", "b"), (Universe("mean", "item", "pearson", (0.5, 0.25), (1, 2)),), (1.0, 0.0))
    ),
    "robustness": draw_robustness((0.0, 1.0), {"random words": {"a": (1.0, 0.5)}}, areas={"random words": {"a": 0.75}}),
}
BEGINNINGS = {"svg": b"<svg ", "png": b"\x89PNG\r\n\x1a\n", "pdf": b"%PDF-"}


@pytest.mark.parametrize("file_format", CONTENT_TYPES)
@pytest.mark.parametrize("name", FIGURES)
def test_every_figure_is_a_file_of_every_format_and_the_same_bytes_again(name, file_format):
    file = render(FIGURES[name], file_format)

    assert file.startswith(BEGINNINGS[file_format])
    assert all(render(FIGURES[name], file_format) == file for _ in range(4))


@pytest.mark.parametrize("name", FIGURES)
def test_svg_has_letters_as_text_and_no_style_of_its_own(name):
    svg = render(FIGURES[name], "svg").decode()

    assert re.findall(r">([^<>]+)</text>", svg)
    assert "style=" not in svg
    assert "<style" not in svg


def test_unknown_format_is_said():
    with pytest.raises(UnknownNameError, match="unknown file format of a figure 'gif'; known are: svg, png, pdf"):
        render(FIGURES["scatter"], "gif")
