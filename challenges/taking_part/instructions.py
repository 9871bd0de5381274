"""What a team must upload in a phase: the name of the file, its layout, and the images that need captions."""

import json
from dataclasses import dataclass
from typing import Final

from challenges.models import Phase
from challenges.submissions.scoring import find_images

_N_SHOWN: Final = 2


@dataclass(frozen=True, slots=True)
class Instructions:
    """What a file of results must be.

    Attributes:
        file_name: COCO's pattern of the name, with the split of the phase.
        n_images: How many images need captions.
        captions_per_image: How many captions each of them needs.
        n_entries: How many entries the list must have.
        example: The first entries of a valid file, as JSON.
    """

    file_name: str
    n_images: int
    captions_per_image: int
    n_entries: int
    example: str


def describe_results(phase: Phase) -> Instructions:
    """Describe the file of results of a phase, with entries of its first images."""
    images = find_images(phase)
    n_images = images.count()
    keys = images.values_list("key", flat=True)[:_N_SHOWN]
    entries = [
        {"image_id": _read_id(key), "caption": f"caption {number} of the image"}
        for key in keys
        for number in range(1, min(phase.captions_per_image, _N_SHOWN) + 1)
    ]
    is_shortened = n_images * phase.captions_per_image > len(entries)
    lines = ",\n ".join(json.dumps(each, ensure_ascii=False) for each in entries)
    return Instructions(
        file_name=f"captions_{phase.split or phase.slug}_<algorithm>_results.json",
        n_images=n_images,
        captions_per_image=phase.captions_per_image,
        n_entries=n_images * phase.captions_per_image,
        example=f"[{lines}{',' if is_shortened else ''}\n{' ...' if is_shortened else ''}]",
    )


def list_image_ids(phase: Phase) -> list[int | str]:
    """Return the ids of the images of a phase, as numbers where they are whole numbers."""
    return [_read_id(key) for key in find_images(phase).values_list("key", flat=True)]


def _read_id(key: str) -> int | str:
    """Return a number only if it is spelled as the key is, since ids of the same spelling are the same image."""
    return int(key) if key.isascii() and key.isdigit() and str(int(key)) == key else key
