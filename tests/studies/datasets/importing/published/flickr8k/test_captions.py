"""Tests of captions and their allowed characters."""

from pathlib import Path

import pytest

from studies.models import Candidate, Reference
from tests.studies.datasets.importing.conftest import Import, Refuse

CAPTIONS = "Flickr8k.token.txt"
IMAGE = "1056338697_4f7d7ce270.jpg"


@pytest.mark.parametrize("mark", ["\r", "\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u2029"])
def test_line_break_characters_shift_nothing(run_import: Import, flickr8k: Path, mark: str) -> None:
    path = flickr8k / CAPTIONS
    lines = path.read_bytes().decode().split("\n")
    shifted = [f"{line[:-2]}{mark} {line[-1:]}" if line else line for line in lines]
    path.write_bytes("\n".join(shifted).encode())

    run_import("flickr8k-expert", source=flickr8k)
    texts = {line.partition("\t")[0]: line.partition("\t")[2] for line in shifted if line}
    own = [texts[f"{IMAGE}#{number}"] for number in range(5)]
    assert list(Reference.objects.filter(image__key=IMAGE).values_list("text", flat=True)) == own
    first = Candidate.objects.order_by("pk").first()
    assert first.text == texts["2549968784_39bfbe44f9.jpg#2"]
    assert mark in first.text


def test_image_names_may_have_any_extension(run_import: Import, flickr8k: Path) -> None:
    # Flickr8k.token.txt has an image `2258277193_586949ec62.jpg.1`.
    for path in flickr8k.iterdir():
        path.write_text(path.read_text().replace(f"{IMAGE}", f"{IMAGE}.1"))

    run_import("flickr8k-expert", source=flickr8k)
    assert Reference.objects.filter(image__key=f"{IMAGE}.1").count() == 5


def test_refuses_invalid_utf8(refuse: Refuse, flickr8k: Path) -> None:
    path = flickr8k / CAPTIONS
    lines = path.read_bytes().split(b"\n")
    lines[6] += b"\xff"
    path.write_bytes(b"\n".join(lines))

    message = "Flickr8k.token.txt, line 7: must be valid UTF-8, got the byte 0xff"
    assert refuse("flickr8k-expert", source=flickr8k) == message


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            f"{IMAGE}#4",
            f"{IMAGE}#3",
            f"Flickr8k.token.txt, line 5, field caption id: must occur only once, got '{IMAGE}#3'",
        ),
        (
            f"{IMAGE}#4",
            f"{IMAGE}#5",
            "Flickr8k.token.txt, line 5, field caption id: must be an image, # and a number from 0 to 4, "
            f"got '{IMAGE}#5'",
        ),
        (
            f"{IMAGE}#4\t",
            "other.jpg#4\t",
            f"Flickr8k.token.txt, image {IMAGE}: must have the 5 captions #0 to #4, got only #0, #1, #2, #3",
        ),
        (
            f"{IMAGE}#4\t",
            f"{IMAGE}#4\tA\x00",
            "Flickr8k.token.txt, line 5, field caption: must not contain the character NUL, got ",
        ),
        (
            f"{IMAGE}#4",
            f"{'x' * 201}#4",
            f"Flickr8k.token.txt, line 5, field caption id: may have at most 200 characters, got 201: {'x' * 40}...",
        ),
    ],
    ids=["twice", "number", "missing", "NUL", "long"],
)
def test_refuses_bad_captions(refuse: Refuse, flickr8k: Path, old: str, new: str, message: str) -> None:
    path = flickr8k / CAPTIONS
    text = path.read_text()
    assert text.split("\n")[4].startswith(old)
    path.write_text(text.replace(old, new, 1))

    assert refuse("flickr8k-expert", source=flickr8k).startswith(message)


def test_refuses_a_caption_cut_short(refuse: Refuse, flickr8k: Path) -> None:
    path = flickr8k / CAPTIONS
    path.write_bytes(path.read_bytes()[:-20])

    assert ": is truncated: the last line must end with a line break, got " in refuse("flickr8k-cf", source=flickr8k)
