"""Tests of where names, numbers and lines of a forest plot stand: no text is crossed or covered, in any width."""

import re
from dataclasses import dataclass
from itertools import combinations
from xml.etree import ElementTree

import pytest

from correlation.figures import render
from correlation.figures.forest import ReferenceLine, describe_row, draw_forest, frame_rows
from correlation.figures.forest_rows import LAYOUTS, Layout, place_rows
from correlation.figures.style import WIDEST_LETTERS
from tests.correlation.figures.test_label_places import overlap
from tests.correlation.reports.example import REPORT

SVG = "{http://www.w3.org/2000/svg}"
ZERO = ReferenceLine(0.0, "#000", (1, 0))
PEOPLE = ReferenceLine(0.5, "#a00", (6, 4), 0.45, 0.55, "people, mean-pairwise")
LONG = "bertscore-f1-roberta-large-layer-17-idf-rescaled-with-baseline"
NAMES = {
    "short": ("cider", "spice", "rouge-l", "length"),
    "long": (LONG, f"{LONG}-2", "A long name of several words that are separated by spaces", "meteor-1.5"),
    "unbroken": ("longer" * 12, "Judged_again" * 8, "x", "y" * 40),
    "wide letters": ("\u56fe\u50cf\u63cf\u8ff0" * 3 + "1", "W" * 15, "\u7cfb\u7edf" * 12, "M"),
}
INTERVALS = ((0.45, 0.4, 0.5), (-0.1, -0.3, 0.1), (-0.2, -0.25, -0.15), (None, None, None))
LETTERS = ("a", "ab", "bcdef", "")
SIZES = {
    **LAYOUTS,
    **{f"stacked, {width} px": Layout(width, is_stacked=True, n_title_letters=30) for width in (240, 320, 400)},
}


@dataclass(frozen=True, slots=True)
class Drawing:
    """What is drawn, each as left, top, right and bottom in pixels; `texts` by what they say."""

    texts: list[tuple[str, tuple[float, float, float, float]]]
    lines: list[tuple[float, float, float, float]]


def draw(names, layout, *, letters=LETTERS) -> Drawing:
    rows = [
        describe_row(name, *interval, letters=marks)
        for name, interval, marks in zip(names, INTERVALS, letters, strict=True)
    ]
    return read(
        frame_rows(rows, title="Agreement", notes=[], axis="Kendall", layout=layout, references=[ZERO, PEOPLE, PEOPLE])
    )


def read(figure) -> Drawing:
    drawing = Drawing([], [])
    root = ElementTree.fromstring(render(figure, "svg"))  # noqa: S314 - our own file
    _read(root, 0.0, 0.0, drawing, role="")
    assert drawing.texts
    assert drawing.lines
    return drawing


def _read(element, x, y, drawing, *, role) -> None:
    moved = re.match(r"translate\((-?[\d.]+),(-?[\d.]+)\)", element.get("transform", ""))
    if moved:
        x, y = x + float(moved[1]), y + float(moved[2])
    role = next((name for name in element.get("class", "").split() if name.startswith("mark-")), role)
    if element.tag == f"{SVG}text":
        parts = element.findall(f"{SVG}tspan")
        for number, text in enumerate([part.text or "" for part in parts] or [element.text or ""]):
            if text:
                drawing.texts.append((text, _bound(element, text, x, y + 15 * number)))
    elif element.tag == f"{SVG}line":
        ends = [(0.0, 0.0), (float(element.get("x2", 0)), float(element.get("y2", 0)))]
        drawing.lines.append(_surround([(x + dx, y + dy) for dx, dy in ends]))
    elif element.tag == f"{SVG}path" and role == "mark-rect":
        left, top, width, height = map(float, re.findall(r"-?[\d.]+", element.get("d"))[:4])
        drawing.lines.append((x + left, y + top, x + left + width, y + top + height))
    elif element.tag == f"{SVG}path" and role == "mark-symbol":
        drawing.lines.append((x - 6, y - 6, x + 6, y + 6))
    for child in element:
        _read(child, x, y, drawing, role=role)


def _bound(element, text, x, y):
    size = float(element.get("font-size").removesuffix("px"))
    # Chinese letters are as wide as they are high, and capitals may be.
    width = size * sum(1.0 if letter.isupper() or letter > "\u2e80" else WIDEST_LETTERS for letter in text)
    left = x - {"start": 0, "middle": width / 2, "end": width}[element.get("text-anchor")]
    return left, y - 0.75 * size, left + width, y + 0.2 * size


def _surround(points):
    (x1, y1), (x2, y2) = points
    return min(x1, x2) - 0.75, min(y1, y2) - 0.75, max(x1, x2) + 0.75, max(y1, y2) + 0.75


def find_crossed(drawing: Drawing) -> list[str]:
    return [text for text, box in drawing.texts if any(overlap(box, line) > 0 for line in drawing.lines)]


def find_covered(drawing: Drawing) -> list[tuple[str, str]]:
    # Numbers of the axis may be close to each other in the widest fallback font: Vega leaves out those that overlap.
    texts = [each for each in drawing.texts if not re.fullmatch("\N{MINUS SIGN}?[0-9.]+", each[0])]
    return [(one[0], two[0]) for one, two in combinations(texts, 2) if overlap(one[1], two[1]) > 0]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("kind", NAMES)
def test_no_text_is_crossed_by_a_line_or_covered_by_another_one(kind, size):
    drawing = draw(NAMES[kind], SIZES[size])

    assert find_crossed(drawing) == []
    assert find_covered(drawing) == []


@pytest.mark.parametrize("size", LAYOUTS)
def test_lines_of_a_report_cross_no_text(size):
    drawing = read(draw_forest(REPORT, size=size))

    assert {"spice_u", "cider|d", "length", "undefined", "people, mean-pairwise"} <= {text for text, _ in drawing.texts}
    assert find_crossed(drawing) == []


@pytest.mark.parametrize("size", [size for size in SIZES if size != "wide"])
@pytest.mark.parametrize("kind", NAMES)
def test_names_above_the_marks_are_whole_and_inside_the_figure(kind, size):
    layout = SIZES[size]
    drawing = draw(NAMES[kind], layout)

    written = "".join(text for text, _ in drawing.texts).replace(" ", "")
    assert all(name.replace(" ", "") in written for name in NAMES[kind])
    # The drawing begins 12 pixels from the left.
    names = [box for text, box in drawing.texts if any(text in name for name in NAMES[kind])]
    assert max(right for _, _, right, _ in names) <= 12 + layout.width + 1


def test_a_line_across_all_rows_is_in_pieces_between_the_texts_of_stacked_rows():
    placed = place_rows([describe_row(name, 0.5, None, None) for name in NAMES["long"]], LAYOUTS["narrow"])

    tops, bottoms = ([row[end] for row in placed.rows] for end in ("top", "bottom"))
    assert all(row["numbers_top"] + 12 <= row["top"] for row in placed.rows)
    assert all(bottom < row["name_top"] for bottom, row in zip(bottoms, placed.rows[1:], strict=False))
    assert {bottom - top for top, bottom in zip(tops, bottoms, strict=True)} == {24}
    assert placed.height == bottoms[-1]


def test_rows_of_many_letters_have_the_name_above_them():
    drawing = draw(NAMES["short"], LAYOUTS["narrow"], letters=("abcdefghijklmn", "a", "b", ""))

    assert find_covered(drawing) == []


def test_wide_rows_are_not_changed():
    rows = [describe_row("cider", 0.5, 0.4, 0.6)]

    assert place_rows(rows, LAYOUTS["wide"]).rows == tuple(rows)
    assert place_rows(rows, LAYOUTS["wide"]).height == 30
