import pytest

from correlation.figures.style import CONFIG, DARK_FROM, INK, SHADES, frame_figure, head_figure


def _read_channels(colour):
    return [int(colour[place : place + 2], 16) for place in (1, 3, 5)]


def _measure_luminance(channels):
    """Relative luminance of an sRGB colour, WCAG 2.2."""
    linear = [c / 255 / 12.92 if c / 255 <= 0.04045 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def _mix_shade(share):
    place = min(int(share * (len(SHADES) - 1)), len(SHADES) - 2)
    part = share * (len(SHADES) - 1) - place
    ends = zip(_read_channels(SHADES[place]), _read_channels(SHADES[place + 1]), strict=True)
    return _measure_luminance([low + (high - low) * part for low, high in ends])


@pytest.mark.parametrize("percent", range(101))
def test_letters_are_legible_on_every_shade(percent):
    letters = 1.0 if percent / 100 >= DARK_FROM else _measure_luminance(_read_channels(INK))
    lighter, darker = sorted((letters, _mix_shade(percent / 100)), reverse=True)

    assert (lighter + 0.05) / (darker + 0.05) >= 4.5


def test_shades_darken_all_the_way_so_that_grey_print_shows_them():
    luminances = [_mix_shade(percent / 100) for percent in range(101)]

    assert luminances == sorted(luminances, reverse=True)


def test_frame_is_a_plain_dictionary_with_the_parts():
    figure = frame_figure(width=10)

    assert set(figure) == {"$schema", "background", "padding", "config", "width"}
    assert figure["config"] == dict(CONFIG)


def test_head_has_title_and_lines():
    assert head_figure("Title", ["one", "two"]).items() >= {"text": "Title", "anchor": "start"}.items()
    assert head_figure("", ["one"])["subtitle"] == ["one"]
