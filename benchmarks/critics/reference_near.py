"""Measures how well metrics distinguish captions of similar images: `python -m benchmarks.critics.reference_near`.

This needs no judgments. For each of Flickr8k's 1,000 development images, two of its captions are scored against its
other captions, and so is a caption of each of its nearest images. A metric should prefer the image's own captions.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Final

import numpy as np

from benchmarks.critics.reference import read_captions
from benchmarks.judged_captions import Values
from metrics_plugins.api import Batch, Metric
from metrics_plugins.metrics.critics.reference.learning import CaptionGroups, find_near
from metrics_plugins.runtime import load_registry

METRICS: Final = ("sentence-cosine", "embedding-f1", "critic-reference")
N_NEAR: Final = 8
N_WRITERS: Final = 2


def make_rows(groups: Sequence[Sequence[str]], near: np.ndarray) -> Batch:
    """Return the rows to score: for each image and writer its own caption, then one of each near image."""
    rows = [
        (candidate, [caption for place, caption in enumerate(own) if place != writer])
        for image, own in enumerate(groups)
        for writer in range(N_WRITERS)
        for candidate in (own[writer], *(groups[other][writer] for other in near[image]))
    ]
    return Batch.make(
        [str(row) for row in range(len(rows))],
        candidates=[candidate for candidate, _ in rows],
        references=[references for _, references in rows],
    )


def measure_preference(scores: Values, *, n_near: int) -> tuple[float, float]:
    """Return the shares of pairs and of images in which the own caption has the highest score; ties are wrong."""
    table = scores.reshape(-1, 1 + n_near)
    is_preferred = table[:, :1] > table[:, 1:]
    return float(is_preferred.mean()), float(is_preferred.all(axis=1).mean())


def main() -> int:
    """Score the rows with each metric, and print both shares times 100."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--images", type=int, help="only so many images, for a try")
    arguments = parser.parse_args()
    registry = load_registry(strict=True)
    groups = CaptionGroups(
        tuple(tuple(dict.fromkeys(own)) for own in read_captions("dev").values())[: arguments.images]
    )
    n_images = len(groups.groups)
    vectors = registry.get_encoder("minilm", device="cpu").encode(groups.captions)
    batch = make_rows(groups.groups, find_near(vectors, groups.images, np.arange(n_images), n=N_NEAR))
    sys.stdout.write(f"{n_images} images, {len(batch)} rows\n")
    for name in METRICS:
        metric = registry.build(name)
        if not isinstance(metric, Metric):
            raise SystemExit(f"{name} must learn first")
        pairs, images = measure_preference(metric.score(batch).values, n_near=N_NEAR)
        sys.stdout.write(
            f"{name}: {100 * pairs:.1f} % of pairs, {100 * images:.1f} % of captions before all near ones\n"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
