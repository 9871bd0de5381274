"""Times the decoders of a captioner of COCO: `python -m benchmarks.captioning.decoding --folder FOLDER`.

The captioner is that of `benchmarks.captioning.diversity` before any objective, in the same folder. Greedy decoding, a
beam of 5 and sampling caption the same images in turn, on one thread; printed are the medians of captions and words a
second, and the ratio to greedy decoding.
"""

import argparse
import statistics
import sys
import time
from pathlib import Path
from typing import Final

import numpy as np
import torch

from benchmarks.captioning.diversity import CAPTIONER, MOST_WORDS, START, Sizes, find_training, load_images
from captioning.api import Captioner, Decoding, Images
from captioning.runtime import CaptionerContext, load_captioners

DECODINGS: Final = {
    "greedy": Decoding(max_words=MOST_WORDS),
    "beam of 5": Decoding(method="beam", beam_size=5, max_words=MOST_WORDS),
    "sampling": Decoding(method="sample", max_words=MOST_WORDS),
}


def main() -> int:
    """Time all decoders in turn, and print their medians."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--folder", type=Path, required=True, help="the folder of benchmarks.captioning.diversity")
    parser.add_argument("--rounds", type=int, default=5, help="runs of each decoder (default: 5)")
    parser.add_argument("--device", default="cpu", help="the device of tensors (default: cpu)")
    chosen = parser.parse_args()
    torch.set_num_threads(1)
    images = load_images(chosen.folder, Sizes()).test.images
    registered = load_captioners().get(CAPTIONER).captioner_class
    captioner = registered.build(CaptionerContext(chosen.device), folder=find_training(chosen.folder, START))
    found: dict[str, list[tuple[float, int]]] = {name: [] for name in DECODINGS}
    for _ in range(chosen.rounds):
        for name, decoding in DECODINGS.items():
            found[name].append(_time(captioner, images, decoding))
    seconds = {name: statistics.median(each for each, _ in runs) for name, runs in found.items()}
    for name, runs in found.items():
        n_words = runs[0][1]
        print(
            f"{name}: {len(images) / seconds[name]:.0f} captions/s, {n_words / seconds[name]:.0f} words/s, "
            f"{seconds[name] / seconds['greedy']:.2f} times the time of greedy decoding"
        )
    return 0


def _time(captioner: Captioner, images: Images, decoding: Decoding) -> tuple[float, int]:
    """Return seconds, and the number of words of all captions."""
    started = time.perf_counter()
    captions = captioner.caption(images, decoding=decoding, rng=np.random.default_rng(0)).captions
    return time.perf_counter() - started, sum(len(row[0].split()) for row in captions)


if __name__ == "__main__":
    sys.exit(main())
