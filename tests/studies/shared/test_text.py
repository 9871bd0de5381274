import pytest

from studies.shared.text import normalize_caption, normalize_space


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
