import pytest

from studies.shared.text import normalize_caption, normalize_space, print_duration


@pytest.mark.parametrize(("text", "expected"), [(" a  dog\t", "a dog"), ("a\u00a0dog\n", "a dog"), ("", "")])
def test_normalize_space(text, expected):
    assert normalize_space(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A man's Dog ; running .", "amansdogrunning"),
        ("Straße №7", "strasse7"),
        # Nothing but punctuation is compared as it is, so that it does not equal an empty caption.
        (" . ", "."),
        ("", ""),
    ],
)
def test_normalize_caption(text, expected):
    assert normalize_caption(text) == expected


@pytest.mark.parametrize("other", ["", "\u00e9"])
def test_normalize_caption_keeps_letters_and_digits_only(other):
    characters = "".join(map(chr, range(128))) + other

    kept = normalize_caption(characters)

    assert kept == "".join(filter(str.isalnum, characters.casefold()))
    assert kept.startswith("0123456789abc")


@pytest.mark.parametrize(
    ("seconds", "printed"),
    [
        (0, "less than 1 s"),
        (0.99, "less than 1 s"),
        (1, "1 s"),
        (89.4, "89 s"),
        (90, "2 min"),
        (180, "3 min"),
        (5399, "90 min"),
        (5400, "2 h"),
        (360_000, "100 h"),
    ],
)
def test_durations_are_rounded(seconds, printed):
    assert print_duration(seconds) == printed
