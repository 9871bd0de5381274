"""Trains captioners for diversity on COCO's captions: `python -m benchmarks.captioning.diversity --folder FOLDER`.

One captioner is trained by cross entropy; each objective of Wang et al. (2020) goes on from its weights. Of each test
image, 100 captions are sampled: the first 10 give accuracy and diversity, the first 20 best@20, and DPP selects 10 of
all. COCO's images are not bundled: a captioner reads the sentence vector of one human caption ("text-conditioned").
Finished trainings and results stay in the folder. The tables and figures of docs/captioning-diversity.md are written.
"""

import argparse
import json
import sys
import time
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final

import numpy as np

from benchmarks.captioning.diversity_page import write_page
from captioning.api import Captioner, Decoding, TrainableCaptioner
from captioning.data.coco import CocoCaptions, load_coco
from captioning.runtime import CaptionerContext, load_captioners
from captioning.runtime.running import run_captioner
from captioning.selection.best_of import measure_diversity, measure_people, tabulate_best
from captioning.selection.dpp import count_references, select_captions
from captioning.selection.scoring import score_candidates
from metrics_plugins.metrics.diversity.kernels import ORDER, SIGMA
from metrics_plugins.metrics.ngram.cider import FittedCiderD
from metrics_plugins.metrics.ngram.document_frequencies import DocumentFrequencies
from metrics_plugins.runtime import load_registry

CAPTIONER: Final = "fc"
SEED: Final = 1
N_SAMPLES, N_BEST, N_SET = 100, 20, 10
MOST_WORDS: Final = 16
BEST_METRICS: Final = ("bleu-4", "meteor", "rouge-l", "cider-d", "spice")
START: Final = "xe"
ADJUSTABLE: Final = ("n_test", "hidden", "steps", "batch_size", "objective_steps", "objective_batch")


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """The numbers of images and steps, and the sizes of the network."""

    n_train: int = 20_000
    n_validation: int = 300
    n_test: int = 300
    min_count: int = 20
    hidden: int = 256
    steps: int = 6_000
    rate: float = 1e-3
    decay_epochs: int = 2
    batch_size: int = 128
    objective_steps: int = 600
    objective_rate: float = 5e-4
    objective_batch: int = 32


METHODS: Final[Mapping[str, Mapping[str, object]]] = {
    "SCST": {"objective": "scst", "n_samples": 5},
    "XE + 10 CIDEr": {"objective": "xe-scst", "alpha": 10.0, "n_samples": 5},
    "CIDEr + 1 JPC (5)": {"objective": "jpc", "eta": 1.0, "n_samples": 5},
    "CIDEr + .02 EPC (5)": {"objective": "epc", "gamma": 0.02, "n_samples": 5},
    "CIDEr + .04 mCIDEr (5)": {"objective": "mcider", "gamma": 0.04, "n_samples": 5},
    "UDA-2": {"objective": "uda", "n_samples": 2},
    "UDA-5": {"objective": "uda", "n_samples": 5},
    "UDA-8": {"objective": "uda", "n_samples": 8},
}
"""The methods of Table 2 of the paper, with its weights, and UDA of three set sizes."""


def main() -> int:
    """Train, sample, measure, and write the page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--folder", type=Path, required=True, help="where trainings and results stay")
    parser.add_argument("--processes", type=int, default=2, help="trainings at a time, each on one core (default: 2)")
    parser.add_argument("--device", default="cpu", help="the device of tensors (default: cpu)")
    for name in ADJUSTABLE:
        default = getattr(Sizes, name)
        parser.add_argument(f"--{name.replace('_', '-')}", type=int, default=default, help=f"default: {default}")
    chosen = parser.parse_args()
    sizes = Sizes(**{name: getattr(chosen, name) for name in ADJUSTABLE})
    _run(START, sizes, chosen.folder, chosen.device)
    names = list(METHODS)
    with ProcessPoolExecutor(chosen.processes, mp_context=get_context("spawn")) as executor:
        list(
            executor.map(_run, names, [sizes] * len(names), [chosen.folder] * len(names), [chosen.device] * len(names))
        )
    results = {name: _read(chosen.folder, name) for name in (START, *METHODS)}
    report = {
        "sizes": asdict(sizes),
        "seed": SEED,
        "minutes": sum(each["seconds"] for each in results.values()) / 60,
        "people": _measure_people(load_images(chosen.folder, sizes)),
        "results": results,
    }
    (chosen.folder / "report.json").write_text(json.dumps(report, indent=1))
    write_page(report)
    return 0


def _run(name: str, sizes: Sizes, folder: Path, device: str) -> None:
    """Train and measure a method, unless its results are there."""
    path = _find_results(folder, name)
    if path.is_file():
        return
    started = time.perf_counter()
    data = load_images(folder, sizes)
    captioner = _train(name, data, sizes, folder, device)
    trained = time.perf_counter() - started
    measured = _measure(captioner, data)
    seconds = time.perf_counter() - started
    path.write_text(json.dumps(measured | {"seconds": seconds, "training_seconds": trained}, indent=1))
    sys.stderr.write(f"{name}: {seconds / 60:.1f} minutes, {measured}\n")


def load_images(folder: Path, sizes: Sizes) -> CocoCaptions:
    """Return the images, whose sentence vectors are computed if the folder does not have them."""
    return load_coco(
        folder=folder / "coco",
        n_train=sizes.n_train,
        n_validation=sizes.n_validation,
        n_test=sizes.n_test,
        seed=SEED,
    )


def _train(name: str, data: CocoCaptions, sizes: Sizes, folder: Path, device: str) -> Captioner:
    registered = load_captioners().get(CAPTIONER).captioner_class
    assert issubclass(registered, TrainableCaptioner)  # noqa: S101 - it is one of ours
    common = {
        "hidden": sizes.hidden,
        "embedding": sizes.hidden,
        "min_count": sizes.min_count,
        "max_words": MOST_WORDS,
        "validation_images": 200,
        "validate_every": 400,
        "threads": 1,
    }
    if name == START:
        own: dict[str, object] = {
            "steps": sizes.steps,
            "rate": sizes.rate,
            "decay_epochs": sizes.decay_epochs,
            "batch_size": sizes.batch_size,
        }
    else:
        own = {
            "steps": 0,
            "objective_steps": sizes.objective_steps,
            "objective_rate": sizes.objective_rate,
            "batch_size": sizes.objective_batch,
            "validate_every": 100,
            "start": str(find_training(folder, START)),
            **METHODS[name],
        }
    return registered.train(
        data.train,
        data.validation,
        folder=find_training(folder, name),
        rng=np.random.default_rng(SEED),
        context=CaptionerContext(device),
        settings=common | own,
    )


def _measure(captioner: Captioner, data: CocoCaptions) -> dict[str, Any]:
    documents = _count(data)
    rng = np.random.default_rng(SEED)
    sampled = run_captioner(
        captioner,
        data.test.images,
        n=N_SAMPLES,
        decoding=Decoding(method="sample", max_words=MOST_WORDS),
        rng=rng,
        allow_empty=True,
    ).captions
    references = data.test.captions
    registry = load_registry()
    metrics = [registry.build(name) for name in BEST_METRICS]
    scored = score_candidates(metrics, [row[:N_BEST] for row in sampled], references, rng=rng)
    cider = FittedCiderD(tokenizer=registry.get_tokenizer("ptb"), df=documents, n=ORDER, sigma=SIGMA)
    quality = score_candidates([cider], sampled, references, rng=rng)[0].values
    places = select_captions(sampled, quality, n=N_SET, documents=documents)
    selected = [[row[place] for place in own] for row, own in zip(sampled, places, strict=True)]
    return {
        "sampled": asdict(measure_diversity([row[:N_SET] for row in sampled], references, documents=documents)),
        "dpp": asdict(measure_diversity(selected, references, documents=documents)),
        "best": [asdict(each) for each in tabulate_best(scored, ks=(N_BEST,))],
        "examples": [list(row[:N_SET]) for row in sampled[:3]],
    }


def _measure_people(data: CocoCaptions) -> dict[str, float]:
    return asdict(measure_people(data.test.captions, documents=_count(data)))


def _count(data: CocoCaptions) -> DocumentFrequencies:
    return count_references(data.train.captions)


def find_training(folder: Path, name: str) -> Path:
    """Return the folder of a method's training."""
    return folder / "trained" / "".join(letter if letter.isalnum() else "-" for letter in name.lower())


def _find_results(folder: Path, name: str) -> Path:
    return find_training(folder, name).with_suffix(".json")


def _read(folder: Path, name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(_find_results(folder, name).read_text())
    return found


if __name__ == "__main__":
    sys.exit(main())
