"""The layout of mt-metrics-eval: images are sources, captions outputs, a segment is the n-th caption of an image.

The layout is the toolkit's (github.com/google-research/mt-metrics-eval, "File organization"): one line per segment;
score files have a block of lines per system.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import Final

PAIR: Final = "img-txt"
"""The value in place of a language pair: from images to text."""

Place = tuple[str, int]


def clean_name(name: str) -> str:
    """Return a valid name of the format, without white space, dots, dashes or slashes."""
    return re.sub(r"[\s./\\-]+", "_", name)


def list_clashes(names: Collection[str]) -> list[str]:
    """Return the names of which two or more become one name in the format."""
    counts = Counter(map(clean_name, names))
    return [name for name in names if counts[clean_name(name)] > 1]


def join_lines(text: str) -> str:
    """Return a text as one line, whatever kind of line break it has."""
    return " ".join(text.splitlines())


def place_captions(captions: Iterable[tuple[int, str, str]]) -> dict[str, dict[Place, int]]:
    """Return by system, image and position the primary key of each caption.

    Args:
        captions: Primary key, image and system of each, in order.
    """
    by_system: dict[str, dict[Place, int]] = {}
    counts: dict[tuple[str, str], int] = {}
    for pk, image, system in captions:
        place = counts.get((image, system), 0)
        counts[image, system] = place + 1
        by_system.setdefault(system, {})[image, place] = pk
    return by_system


def number_places(images: Iterable[str]) -> list[Place]:
    """Return the image of each segment, and how often it has occurred before."""
    seen: dict[str, int] = {}
    places = []
    for image in images:
        places.append((image, seen.get(image, 0)))
        seen[image] = seen.get(image, 0) + 1
    return places


def rename_systems(by_system: Mapping[str, Mapping[Place, int]]) -> dict[str, dict[Place, int]]:
    """Return the captions of each system with names as the format has them, of systems and of images."""
    return {
        clean_name(system): {(join_lines(image), number): pk for (image, number), pk in own.items()}
        for system, own in by_system.items()
    }
