"""Regenerates the evaluation of `critic-lstm`: `python -m benchmarks.critics.capability [--work FOLDER] [PART ...]`.

The parts are, in this order: `capability` (critics by context and head, trained with and without distorted captions, on
COCO's val2014), `robustness` (areas under curves compared with other metrics), `judged` (Flickr8k-Expert, Flickr8k-CF
and PASCAL-50S). Each critic is trained in a subfolder of FOLDER, where an interrupted run is continued. The results are
written to `capability.json`, from which the section on `critic-lstm` of docs/critics.md is generated.

COCO's images are not available here, so the contexts are "none" and the reference. Everything runs on the CPU in one
thread; the sizes, which are in the results, are chosen so that everything takes about an hour.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from benchmarks.critics.capability_page import write_section
from benchmarks.critics.data import CocoSplit, make_learning_batch, read_coco, read_flickr
from benchmarks.critics.figures import write_figures
from benchmarks.judged_captions import read_judged
from metrics_plugins.api import Batch, Metric
from metrics_plugins.api.metric import Trainable
from metrics_plugins.probes.robustness import find_vocabulary, measure_robustness
from metrics_plugins.runtime import load_registry, run_metric
from metrics_plugins.text.distortions import (
    draw_permuted_words,
    draw_random_captions,
    draw_replaced_words,
    draw_training_count,
)
from metrics_plugins.text.ptb.tokenizer import tokenize_captions

RESULTS = Path(__file__).with_suffix(".json")
SMALL: Final = {"n_learning": 4000, "n_testing": 1000}
LARGE: Final = {"n_learning": 39_000, "n_testing": 1000}
MIDDLE: Final = {"n_learning": 12_000, "n_testing": 1000}
MIDDLE_CRITIC: Final = {"hidden": 512, "epochs": 8, "decay": 0.8}
SMALL_CRITIC: Final = {"hidden": 256, "epochs": 6}
# Weak distortions, because stronger ones are easier to distinguish.
ROBUST_CRITIC: Final = {
    "head": "mlp",
    "hidden": 128,
    "negatives": "rc+wp+rw",
    "gamma": 0.15,
    "dropout": 0.1,
    "images": 100,
    "epochs": 10,
    "rate": 0.003,
    "decay": 0.75,
}
FLICKR_CRITIC: Final = {"hidden": 256, "negatives": "rc", "dropout": 0.4, "epochs": 24, "decay": 0.94}
NEGATIVES: Final = {"augmented": "machine+rc+wp+rw", "machine only": "machine"}
N_ROBUSTNESS: Final = 500
OTHERS: Final = (
    "bleu-1", "bleu-2", "bleu-3", "bleu-4", "rouge-l", "rouge-1", "rouge-2", "rouge-s", "cider", "cider-d", "meteor",
    "spice", "embedding-f1", "sentence-cosine", "critic-reference",
)  # fmt: skip
JUDGED_OTHERS: Final = ("bleu-4", "rouge-l", "cider-d", "meteor")
Results = dict[str, Any]


def learn(folder: Path, batch: Batch, **params: Any) -> Metric:
    """Return the critic trained in a folder, training it if it is not there."""
    metric = load_registry().build("critic-lstm", **params)
    if not isinstance(metric, Trainable):
        raise SystemExit("critic-lstm must be one that learns")
    started = time.perf_counter()
    fitted = metric.train(batch, None, np.random.default_rng(0), folder=folder)
    print(f"{folder.name}: {time.perf_counter() - started:.0f} s", flush=True)
    return fitted


def read_curve(folder: Path) -> list[dict[str, Any]]:
    """Return loss, accuracy and seconds of each epoch."""
    return [json.loads(line) for line in (folder / "learning_curve.jsonl").read_text().splitlines()]


def read_seconds(folder: Path) -> float:
    """Return the training time of a critic."""
    return float(sum(entry["seconds"] for entry in read_curve(folder)))


def ruin(split: CocoSplit, rng: np.random.Generator) -> dict[str, list[str]]:
    """Return for each test image a caption of each kind: a human one, a machine's, and three distorted ones."""
    pools = [[text.lower() for text in split.humans[image]] for image in split.testing]
    humans = [pool[1] for pool in pools]
    counts = [draw_training_count(len(text.split()), rng) for text in humans]
    words = find_vocabulary([text for pool in pools for text in pool])
    return {
        "human": humans,
        "machine": [split.machines[image] for image in split.testing],
        "rc": list(draw_random_captions(humans, pools=pools, rng=rng).others),
        "wp": list(draw_permuted_words(humans, rng=rng).apply_counts(counts)),
        "rw": list(draw_replaced_words(humans, vocabulary=words, rng=rng).apply_counts(counts)),
    }


def measure_shares(metric: Metric, split: CocoSplit, captions: Mapping[str, Sequence[str]]) -> dict[str, float]:
    """Return, for each kind of caption, the share that the critic classifies correctly, given one human caption."""
    references = [[split.humans[image][0]] for image in split.testing]
    shares = {}
    for kind, texts in captions.items():
        batch = Batch.make(split.testing, candidates=texts, references=references)
        values = run_metric(metric, batch, rng=np.random.default_rng(0)).scores.values
        shares[kind] = float(((values > 0.5) == (kind == "human")).mean())
    return shares


def run_capability(work: Path) -> Results:
    """Compare contexts, heads and training captions."""
    split = read_coco(**SMALL)
    batch = make_learning_batch(split.learning, split.humans, split.machines)
    captions = ruin(split, np.random.default_rng(1))
    rows = []
    for beside in ("none", "reference"):
        for head in ("linear", "mlp", "bilinear"):
            for name, negatives in NEGATIVES.items():
                folder = work / f"capability-{beside}-{head}-{name.replace(' ', '-')}"
                critic = learn(folder, batch, beside=beside, head=head, negatives=negatives, **SMALL_CRITIC)
                shares = measure_shares(critic, split, captions)
                seconds = read_seconds(folder)
                rows.append({"beside": beside, "head": head, "learned": name, "shares": shares, "seconds": seconds})
    split = read_coco(**MIDDLE)
    batch = make_learning_batch(split.learning, split.humans, split.machines)
    folder = work / "large-augmented"
    critic = learn(folder, batch, negatives=NEGATIVES["augmented"], **MIDDLE_CRITIC)
    shares = measure_shares(critic, split, captions)
    row = {"beside": "reference", "head": "bilinear", "shares": shares, "seconds": read_seconds(folder)}
    rows.append(row | {"learned": f"augmented, {_say_sizes(MIDDLE | MIDDLE_CRITIC)}"})
    return {"sizes": SMALL | SMALL_CRITIC, "rows": rows}


def _say_sizes(sizes: Mapping[str, Any]) -> str:
    return f"{sizes['n_learning']:,} images, {sizes['epochs']} passes, {sizes['hidden']} units"


def run_robustness(work: Path) -> Results:
    """Measure the curves of a critic trained on more images, with distorted captions, and of other metrics."""
    split = read_coco(**LARGE)
    folder = work / "robust"
    critic = learn(folder, make_learning_batch(split.learning, split.humans, split.machines), **ROBUST_CRITIC)
    references = {image: split.humans[image] for image in split.testing[:N_ROBUSTNESS]}
    # As in the paper, random words come from the vocabulary of the training captions, not of the test images.
    lines = tokenize_captions([text for image in split.learning for text in split.humans[image]])
    metrics = [critic, *(load_registry().build(name) for name in OTHERS)]
    report = measure_robustness(metrics, references, rng=np.random.default_rng(0), vocabulary=find_vocabulary(lines))
    areas: dict[str, dict[str, Any]] = {}
    for curve in report.curves:
        areas.setdefault(curve.metric, {})[curve.distortion.value] = {"auc": curve.auc, "curve": curve.normalised}
    sizes = LARGE | ROBUST_CRITIC | {"n_images": N_ROBUSTNESS}
    shares = measure_shares(critic, split, ruin(split, np.random.default_rng(1)))
    return {"sizes": sizes, "areas": areas, "shares": shares, "seconds": read_seconds(folder)}


def run_judged(work: Path) -> Results:
    """Measure the agreement with people of a critic in the paper's setting, trained on captions of other images."""
    humans, tested = read_flickr()
    images = [image for image in humans if image not in tested]
    folder = work / "flickr8k"
    critic = learn(folder, make_learning_batch(images, humans, {}), **FLICKR_CRITIC)
    metrics = (critic, *(load_registry().build(name) for name in JUDGED_OTHERS))
    agreements: dict[str, dict[str, float]] = {}
    for name, judged in read_judged():
        for metric in metrics:
            scores = run_metric(metric, judged.batch, rng=np.random.default_rng(0)).scores.values
            agreements.setdefault(metric.info.id, {})[name] = judged.correlate(scores)[0]
    sizes = FLICKR_CRITIC | {"n_learning": len(images)}
    curve = [{name: entry[name] for name in ("epoch", "loss", "accuracy")} for entry in read_curve(folder)]
    return {"sizes": sizes, "agreements": agreements, "seconds": read_seconds(folder), "curve": curve}


PARTS: Final[Mapping[str, Callable[[Path], Results]]] = {
    "capability": run_capability,
    "robustness": run_robustness,
    "judged": run_judged,
}


def main() -> int:
    """Run the parts, store their results, write the section and draw its figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--work", type=Path, default=Path("var/critics"), help="where critics learn (var/critics)")
    arguments = parser.parse_args()
    import torch

    torch.set_num_threads(1)
    for part in arguments.parts or PARTS:
        found = PARTS[part](arguments.work)
        results = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
        results[part] = found
        RESULTS.write_text(json.dumps(results, indent=1) + "\n")
    found = json.loads(RESULTS.read_text())
    write_section(found)
    write_figures(found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
