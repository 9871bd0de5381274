"""Times Self-CIDEr against loops over pairs on real COCO captions: `python -m benchmarks.metrics.diversity [--json]`.

All sides get the same tokenised caption sets of ten captions each (those of two images; from val2014, then train2014 if
its 40,504 images are not enough), and document frequencies of the captions, whose counting is not timed. There are two
peers, written below without arrays: one compares two captions at a time, as in the authors' code, and counts their
n-grams again for each pair; the other counts each caption once and loops over pairs of counted captions. All use NumPy
for the eigenvalues.

Seconds are wall time from captions in memory to the last score. Memory is the peak resident size of the process,
including captions and document frequencies. The exit status is 1 if the scores differ.
"""

import argparse
import json
import math
import resource
import sys
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from itertools import combinations_with_replacement
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
# Lets this file run as a script, as `run_side` does, from any folder.
sys.path[:0] = [str(ROOT)]

from benchmarks.coco_captions import read_images  # noqa: E402
from benchmarks.sides import parse_side_arguments, run_side  # noqa: E402

SET_SIZE = 10
SIGMA = 6.0
ORDERS = range(1, 5)
# The square root turns a rounding error of 1e-16 in a zero eigenvalue into 1e-8.
TOLERANCE = 1e-6
METRICS = ("self-cider", "self-cider-d")
PEERS = {"pairs": "loop over pairs", "counted": "loop over pairs of counted captions"}
Words = list[str]
Vector = dict[tuple[str, ...], float]
Frequencies = Counter[tuple[str, ...]]


def main() -> int:
    """Run all sides and print the measurements; return 1 if their scores differ."""
    arguments = parse_side_arguments(__doc__, sides=SIDES, n=5_000, counted="sets", shown="caption sets")
    if arguments.side:
        SIDES[arguments.side](arguments)
        return 0
    with TemporaryDirectory() as folder:
        captions = Path(folder) / "captions.json"
        # Prepared in a separate process, because the peak memory of a child starts at that of its parent.
        n_sets = run_side(__file__, "prepare", captions=captions, sets=arguments.sets)["n_sets"]
        ours, *peers = (run_side(__file__, side, captions=captions, sets=n_sets) for side in ("ours", *PEERS))
    rows = [
        _compare(metric, ours, peer, name=name, n_sets=n_sets)
        for name, peer in zip(PEERS.values(), peers, strict=True)
        for metric in METRICS
    ]
    differing = [peer for peer in peers if not _agree(ours, peer)]
    print(json.dumps(rows, indent=1) if arguments.json else _format(rows, differs=bool(differing)))
    return 1 if differing else 0


def prepare(arguments: argparse.Namespace) -> None:
    """Write tokenised caption sets, each from two images of COCO, as a JSON list of lists."""
    from metrics_plugins.runtime import load_registry

    halves = [captions[: SET_SIZE // 2] for _, captions in read_images(2 * arguments.sets)]
    tokenizer = load_registry().get_tokenizer("ptb")
    sets = [tokenizer.tokenize(first + second) for first, second in zip(halves[::2], halves[1::2], strict=True)]
    arguments.captions.write_text(json.dumps(sets))
    print(json.dumps({"n_sets": len(sets)}))


def run_ours(arguments: argparse.Namespace) -> None:
    """Score with the bundled plugin."""
    from metrics_plugins.api import Batch, Fittable
    from metrics_plugins.runtime import fit_metric, load_registry

    sets = json.loads(arguments.captions.read_text())
    registry = load_registry(strict=True)
    halves = [half for captions in sets for half in (captions[: SET_SIZE // 2], captions[SET_SIZE // 2 :])]
    images = Batch.make(map(str, range(len(halves))), references=halves)
    seconds, scores = {}, {}
    for metric_id in METRICS:
        metric = registry.build(metric_id, tokenizer="white-space")
        if isinstance(metric, Fittable):
            metric = fit_metric(metric, images, rng=np.random.default_rng(0))
        start = time.perf_counter()
        batch = Batch.make(map(str, range(len(sets))), caption_sets=sets)
        scores[metric_id] = metric.score(batch).values.tolist()
        seconds[metric_id] = time.perf_counter() - start
    _report(seconds, scores)


def run_peer(arguments: argparse.Namespace, *, side: str) -> None:
    """Score with a loop over pairs."""
    sets = [[caption.split() for caption in captions] for captions in json.loads(arguments.captions.read_text())]
    halves = [half for captions in sets for half in (captions[: SET_SIZE // 2], captions[SET_SIZE // 2 :])]
    frequencies = Counter(
        ngram for half in halves for ngram in {ngram for words in half for n in ORDERS for ngram in _slide(words, n)}
    )
    logarithm = math.log(len(halves))
    weigh = partial(_weigh, frequencies=frequencies, logarithm=logarithm)
    seconds, scores = {}, {}
    for metric_id in METRICS:
        compare: Callable[..., float] = _compare_plain if metric_id == "self-cider" else _compare_clipped
        start = time.perf_counter()
        scores[metric_id] = [
            _measure_spread(_fill(captions, compare=compare, weigh=weigh, counts_once=side == "counted"))
            for captions in sets
        ]
        seconds[metric_id] = time.perf_counter() - start
    _report(seconds, scores)


def _fill(
    captions: list[Words], *, compare: Callable[..., float], weigh: Callable[[Words], list[Vector]], counts_once: bool
) -> np.ndarray:
    kernel = np.empty((len(captions), len(captions)))
    vectors = [weigh(words) for words in captions] if counts_once else []
    for i, j in combinations_with_replacement(range(len(captions)), 2):
        pair = (vectors[i], vectors[j]) if counts_once else (weigh(captions[i]), weigh(captions[j]))
        kernel[i, j] = kernel[j, i] = compare(*pair, len(captions[i]) - len(captions[j]))
    return kernel


def _slide(words: Words, n: int) -> list[tuple[str, ...]]:
    return [tuple(words[start : start + n]) for start in range(len(words) - n + 1)]


def _weigh(words: Words, *, frequencies: Frequencies, logarithm: float) -> list[Vector]:
    """Return the tf-idf weights of a caption by order."""
    return [
        {
            ngram: count * (logarithm - math.log(max(frequencies[ngram], 1)))
            for ngram, count in Counter(_slide(words, n)).items()
        }
        for n in ORDERS
    ]


def _compare_plain(candidate: list[Vector], reference: list[Vector], _: int) -> float:
    return sum(
        _divide(sum(weight * right.get(ngram, 0.0) for ngram, weight in left.items()), left, right)
        for left, right in zip(candidate, reference, strict=True)
    )


def _compare_clipped(candidate: list[Vector], reference: list[Vector], difference: int) -> float:
    total = 0.0
    for left, right in zip(candidate, reference, strict=True):
        shared = ((weight, right.get(ngram, 0.0)) for ngram, weight in left.items())
        total += _divide(sum(min(weight, other) * other for weight, other in shared), left, right)
    return total * math.exp(-(difference**2) / (2 * SIGMA**2))


def _divide(product: float, left: Vector, right: Vector) -> float:
    norms = [math.sqrt(sum(weight**2 for weight in vector.values())) for vector in (left, right)]
    return product / (norms[0] * norms[1]) if all(norms) else 0.0


def _measure_spread(kernel: np.ndarray) -> float:
    roots = np.sqrt(np.linalg.svd(kernel, compute_uv=False))
    return float(-np.log(roots[0] / roots.sum()) / np.log(len(kernel)))


def _report(seconds: dict[str, float], scores: dict[str, list[float]]) -> None:
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"seconds": seconds, "megabytes": megabytes, "scores": scores}))


SIDES: dict[str, Callable[[argparse.Namespace], None]] = {
    "prepare": prepare,
    "ours": run_ours,
    **{side: partial(run_peer, side=side) for side in PEERS},
}


def _agree(ours: dict[str, Any], peer: dict[str, Any]) -> bool:
    return all(np.allclose(ours["scores"][name], peer["scores"][name], rtol=0, atol=TOLERANCE) for name in METRICS)


def _compare(metric_id: str, ours: dict[str, Any], peer: dict[str, Any], *, name: str, n_sets: int) -> dict[str, Any]:
    seconds, peer_seconds = ours["seconds"][metric_id], peer["seconds"][metric_id]
    return {
        "work": f"{metric_id}: {n_sets:,} sets of {SET_SIZE} captions",
        "ours_s": round(seconds, 3),
        "peer": name,
        "peer_s": round(peer_seconds, 3),
        "ratio": round(seconds / peer_seconds, 4),
        "ours_mb": round(ours["megabytes"]),
        "peer_mb": round(peer["megabytes"]),
    }


def _format(rows: list[dict[str, Any]], *, differs: bool) -> str:
    lines = [f"{'seconds: ours':>13} {'peer':>8} {'ratio':>7}   {'MB: ours':>8} {'peer':>6}   work (peer)"]
    for row in rows:
        numbers = f"{row['ours_s']:13.3f} {row['peer_s']:8.3f} {row['ratio']:7.4f}"
        lines.append(f"{numbers}   {row['ours_mb']:>8} {row['peer_mb']:>6}   {row['work']} ({row['peer']})")
    return "\n".join([*lines, "", f"scores: {'DIFFERENT' if differs else 'the same'}"])


if __name__ == "__main__":
    sys.exit(main())
