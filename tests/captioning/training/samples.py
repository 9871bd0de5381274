"""Small captioned images with features, whose captions can be learned in seconds."""

import numpy as np

from captioning.api import CaptionedImages, Images, Regions

WORDS = ("red", "blue", "green", "big", "small", "round")


class ShapelessWorld:
    """A caption is true if it names the colour, and ungrammatical if it is empty."""

    def __init__(self, color):
        self.color = color

    def evaluate_caption(self, caption):
        return None if not caption else 1 if self.color in caption.split() else -1

    def find_construction(self, caption):
        return None if not caption else str(len(caption.split()))


def make_data(n=24, *, seed=0, with_worlds=False):
    rng = np.random.default_rng(seed)
    kinds = rng.integers(len(WORDS), size=(n, 2))
    vectors = np.zeros((n, 2 * len(WORDS)), dtype=np.float32)
    vectors[np.arange(n), kinds[:, 0]] = 1
    vectors[np.arange(n), len(WORDS) + kinds[:, 1]] = 1
    captions = tuple(
        (f"a {WORDS[first]} {WORDS[second]} thing", f"there is a {WORDS[first]} thing that is {WORDS[second]}")
        for first, second in kinds.tolist()
    )
    return CaptionedImages(
        images=Images(keys=tuple(f"image-{row}" for row in range(n)), features=Regions.of_vectors(vectors)),
        captions=captions,
        worlds=tuple(ShapelessWorld(WORDS[first]) for first, _ in kinds.tolist()) if with_worlds else None,
    )


SMALL = {
    "hidden": 16,
    "embedding": 12,
    "max_words": 9,
    "batch_size": 8,
    "steps": 12,
    "validate_every": 6,
    "validation_samples": 3,
    "threads": 1,
}
