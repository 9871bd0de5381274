"""Captions as plain text, in groups of lines."""

from pathlib import Path

import pytest

from metrics_plugins.readers import InputError, read_captions


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a b .\nc d .\n", [("0", "a b .", 1), ("1", "c d .", 2)]),
        ("a b .\nc d .\n\n", [("0", "a b .", 1), ("0", "c d .", 2)]),
        ("a b .\n\nc d .\n e .\n\n", [("0", "a b .", 1), ("1", "c d .", 3), ("1", "e .", 4)]),
        ("a b .\n\n\nc d .", [("0", "a b .", 1), ("1", "c d .", 4)]),
    ],
)
def test_empty_lines_end_the_captions_of_an_image(tmp_path: Path, text: str, expected: list) -> None:
    path = tmp_path / "caption.txt"
    path.write_text(text, encoding="utf-8")

    assert [(each.image_id, each.caption, each.number) for each in read_captions(path).records] == expected


def test_file_without_captions_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "caption.txt"
    path.write_text("\n\n", encoding="utf-8")

    with pytest.raises(InputError, match="must hold captions, got none"):
        read_captions(path)
