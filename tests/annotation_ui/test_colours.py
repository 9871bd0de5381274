"""Tests of the contrast of text on raters' pages: WCAG AAA in the light and the dark scheme."""

import re
from pathlib import Path

import pytest

STYLE = (Path(__file__).resolve().parents[2] / "annotation_ui/static/annotation_ui/annotation.css").read_text()
SCHEMES = dict(zip(("light", "dark"), re.findall(r":root {(.*?)}", STYLE, re.DOTALL), strict=False))
TEXTS = [
    *(
        (text, ground)
        for text in ("text", "accent", "accent-strong", "good", "bad", "hint")
        for ground in ("ground", "paper")
    ),
    *((text, ground) for text in ("faint",) for ground in ("ground", "paper", "hover")),
    *((text, ground) for text in ("text", "accent", "accent-strong") for ground in ("hover", "wash")),
    *((text, "bad-wash") for text in ("text", "bad")),
    *(("on-accent", ground) for ground in ("accent", "accent-strong", "good")),
]
EDGES = [("edge", ground) for ground in ("ground", "paper", "hover", "wash")] + [
    ("accent", "track"),
    ("on-accent", "edge"),
]


def _measure(scheme: str, one: str, other: str) -> float:
    """Return the contrast ratio of two colours, 1 to 21 (WCAG 2.2, "contrast ratio")."""
    colours = dict(re.findall(r"--([\w-]+): #([0-9a-f]{6});", SCHEMES[scheme]))
    darker, lighter = sorted(_measure_luminance(colours[name]) for name in (one, other))
    return (lighter + 0.05) / (darker + 0.05)


def _measure_luminance(colour: str) -> float:
    shares = [int(colour[start : start + 2], 16) / 255 for start in (0, 2, 4)]
    red, green, blue = (share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_contrast_is_measured_as_published() -> None:
    # #767676 on white is the well-known lightest grey that passes 4.5:1; black on white is 21:1.
    white = _measure_luminance("ffffff") + 0.05
    assert white / (_measure_luminance("000000") + 0.05) == pytest.approx(21)
    assert white / (_measure_luminance("767676") + 0.05) == pytest.approx(4.54, abs=0.005)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("text", "ground"), TEXTS)
def test_text_has_the_highest_contrast(scheme: str, text: str, ground: str) -> None:
    assert _measure(scheme, text, ground) >= 7


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("edge", "ground"), EDGES)
def test_borders_of_controls_have_enough_contrast(scheme: str, edge: str, ground: str) -> None:
    assert _measure(scheme, edge, ground) >= 3
