"""Times a step of self-critical training against the same step with rewards by pycocoevalcap's CIDEr-D.

`python -m benchmarks.captioning.scst [--json] [--images N] [--samples M] [--steps K]`

Both steps are made of the same parts: greedy and sampled captions of the same images by the same network, rewards, the
loss and its gradient. Only the rewards differ: ours are the bundled metric called in memory over document frequencies
that were counted once; the peer's are `pycocoevalcap.cider.Cider.compute_score`, which counts document frequencies in
the references of the step at each call. Both alternate in one process, on one thread; the ratio is that of medians. The
peer's scores with the frequencies of the step are compared with ours over the same frequencies; the exit status is 1 if
they differ by more than 1e-6. Images are random vectors, and captions those of COCO, shipped with pycocoevalcap.
"""

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
# Lets this file run as a script from any folder.
sys.path[:0] = [str(ROOT)]

import numpy as np  # noqa: E402
import torch  # noqa: E402

from benchmarks.coco_captions import read_images  # noqa: E402
from captioning.api import CaptionedImages, ImageInput, Images, Regions  # noqa: E402
from captioning.captioners.training_data import count_vocabulary  # noqa: E402
from captioning.networks.building import build_network  # noqa: E402
from captioning.training.losses import WeightedLoss  # noqa: E402
from captioning.training.order import Draws  # noqa: E402
from captioning.training.rewards import (  # noqa: E402
    CiderReward,
    SampledCaptions,
    count_frequencies,
    make_cider_d,
)
from captioning.training.settings import TrainingSettings  # noqa: E402
from captioning.training.steps import CrossEntropySteps, PolicySteps  # noqa: E402
from metrics_plugins.text.ptb.tokenizer import tokenize_captions  # noqa: E402

_TOLERANCE = 1e-6
_DIMENSION = 384
_N_TRAIN = 5000


class PeerReward:
    """CIDEr-D by pycocoevalcap."""

    def __init__(self, data: CaptionedImages) -> None:
        from pycocoevalcap.cider.cider import Cider

        self.cider = Cider()
        self.references = data.captions

    def rate(self, captions: SampledCaptions) -> np.ndarray:
        """As `Reward.rate`."""
        m = captions.is_complete.shape[1]
        references, candidates = {}, {}
        for place, (row, lines) in enumerate(zip(captions.rows.tolist(), captions.lines, strict=True)):
            for column, line in enumerate(lines):
                references[place * m + column] = list(self.references[row])
                candidates[place * m + column] = [line]
        return np.asarray(self.cider.compute_score(references, candidates)[1]).reshape(-1, m)


class TimedReward:
    """A reward whose seconds are recorded."""

    def __init__(self, rate: Callable[[SampledCaptions], np.ndarray]) -> None:
        self.call, self.seconds = rate, [0.0]

    def rate(self, captions: SampledCaptions) -> np.ndarray:
        """As `Reward.rate`."""
        started = time.perf_counter()
        values = self.call(captions)
        self.seconds.append(time.perf_counter() - started)
        return values


def main() -> int:
    """Time both and print the medians; return 1 if their scores differ."""
    options = _parse_arguments()
    torch.set_num_threads(1)
    data = _load_data()
    settings = TrainingSettings(
        objective="scst", objective_steps=1, n_samples=options.samples, max_words=16, reward_end=False, hidden=512
    )
    vocabulary = count_vocabulary(data, min_count=5)
    network = build_network(
        settings.make_network_settings("fc"),
        n_words=len(vocabulary),
        dimension=_DIMENSION,
        generator=torch.Generator().manual_seed(0),
    )
    human = CrossEntropySteps(data, ImageInput.FEATURES, vocabulary, settings)
    _learn(network, human, n_steps=options.learning)
    rewards = {
        "ours": TimedReward(CiderReward.fit(data, counts_end=False).rate),
        "peer": TimedReward(PeerReward(data).rate),
    }
    steps = PolicySteps.make(human, vocabulary, settings, Draws(0))
    seconds: dict[str, list[float]] = {name: [] for name in rewards}
    for number in range(options.steps):
        rows = np.random.default_rng(number).permutation(len(data))[: options.images]
        for name in sorted(rewards, reverse=bool(number % 2)):
            object.__setattr__(steps, "reward", rewards[name])
            started = time.perf_counter()
            _take_step(network, steps, rows, number)
            seconds[name].append(time.perf_counter() - started)
    difference = _compare(data, options.images)
    result = {
        "work": f"SCST step: {options.images} images, {options.samples} samples and a greedy caption each",
        "peer": f"pycocoevalcap {version('pycocoevalcap')}",
        **{f"{name}_s": statistics.median(values) for name, values in seconds.items()},
        **{f"{name}_rewards_s": statistics.median(each.seconds[1:]) for name, each in rewards.items()},
        "largest_difference": difference,
    }
    result["ratio"] = result["ours_s"] / result["peer_s"]
    result["rewards_ratio"] = result["ours_rewards_s"] / result["peer_rewards_s"]
    print(
        json.dumps(result, indent=1) if options.json else "\n".join(f"{name}: {each}" for name, each in result.items())
    )
    return int(difference > _TOLERANCE)


def _parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--images", type=int, default=50, help="images of a step (default: 50)")
    parser.add_argument("--samples", type=int, default=5, help="samples of each (default: 5)")
    parser.add_argument("--steps", type=int, default=10, help="steps of each side (default: 10)")
    parser.add_argument("--learning", type=int, default=40, help="steps of cross entropy before (default: 40)")
    return parser.parse_args()


def _load_data() -> CaptionedImages:
    images = read_images(_N_TRAIN)
    lines = tokenize_captions([text for _, texts in images for text in texts])
    found = iter(lines)
    captions = tuple(tuple(next(found) for _ in texts) for _, texts in images)
    vectors = np.random.default_rng(0).normal(size=(len(images), _DIMENSION)).astype(np.float32)
    keys = tuple(key for key, _ in images)
    return CaptionedImages(images=Images(keys=keys, features=Regions.of_vectors(vectors)), captions=captions)


def _learn(network: Any, human: CrossEntropySteps, *, n_steps: int) -> None:
    """Train for a moment, so that sampled captions have the length and the words of captions."""
    optimizer, loss = torch.optim.Adam(network.parameters(), lr=2e-3), WeightedLoss(network)
    for number in range(n_steps):
        rows = np.random.default_rng(number).permutation(len(human))[:64]
        step = human.prepare(rows, device=torch.device("cpu"))
        optimizer.zero_grad()
        loss(step.images, step.rows, step.ids, step.weights, step.is_sampled, None).backward()
        optimizer.step()


def _take_step(network: Any, steps: PolicySteps, rows: np.ndarray, number: int) -> None:
    generator = torch.Generator().manual_seed(number)
    step = steps.prepare(network, rows, step=number, generator=generator, device=torch.device("cpu"))
    network.zero_grad()
    WeightedLoss(network)(step.images, step.rows, step.ids, step.weights, step.is_sampled, None).backward()


def _compare(data: CaptionedImages, n_images: int) -> float:
    """Return the largest difference of scores over the same document frequencies."""
    lines = tuple((each[0],) for each in data.captions[:n_images])
    others = CaptionedImages(
        images=data.images.select(range(n_images)), captions=tuple(each[1:] for each in data.captions[:n_images])
    )
    captions = SampledCaptions(np.arange(n_images), lines, np.ones((n_images, 1), dtype=np.bool_))
    metric = make_cider_d(count_frequencies(others.captions))
    ours = CiderReward(metric, others.captions, counts_end=False).rate(captions)
    return float(np.abs(ours - PeerReward(others).rate(captions)).max())


if __name__ == "__main__":
    sys.exit(main())
