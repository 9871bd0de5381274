"""Re-ranking by mutual information, distractors and object templates: `python -m benchmarks.captioning.reranking`.

After Wang et al. (2020), "Towards Unique and Informative Captioning of Images", table 3 and section 3, on COCO captions
with the sentence vector of one human caption in place of each image (text-conditioned). A captioner is trained by cross
entropy; its beams of ten are re-ranked with unigram, LSTM and interpolated language models, whose weights are chosen on
the validation images. Results go to reranking.json, docs/captioning-informative.md and docs/figures.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any, Final

import numpy as np

from benchmarks.captioning.pages import ROOT
from benchmarks.captioning.reranking_page import write_figures, write_section
from captioning.api import CaptionBatch, CaptionedImages, Captioner, Decoding
from captioning.commands.arguments import parse_settings
from captioning.data.coco import CocoCaptions, load_coco, read_training_captions
from captioning.probes.distractors import probe_distractors
from captioning.probes.object_templates import compare_templates
from captioning.runtime import load_captioners, run_captioner
from captioning.runtime.trained import train_captioner
from captioning.selection.mutual_information import (
    METRICS,
    Grid,
    ScoredCaptions,
    Weights,
    score_language,
    search_weights,
)
from captioning.selection.reranking_table import compare_weights
from captioning.selection.scoring import score_candidates
from metrics_plugins.api import Batch, Fittable, Metric
from metrics_plugins.cli.arguments.counts import read_count, read_whole
from metrics_plugins.cli.progress import show_progress
from metrics_plugins.runtime import fit_metric, load_registry

RESULTS: Final = Path(__file__).with_suffix(".json")
BEAM: Final = Decoding(method="beam", beam_size=10, max_words=20)
OBJECTS: Final = "those that the held-out caption names, by CHAIR's synonyms (COCO's annotations are not bundled)"


SETTINGS: Final = {"min_count": 5, "steps": 4000, "dropout": 0.2, "validation_samples": 0}
"""Settings of the captioner's training, which --setting overrides."""


@dataclass
class Stopwatch:
    """Minutes of each part, which are printed as they end."""

    minutes: dict[str, float] = field(default_factory=dict)
    start: float = field(default_factory=time.perf_counter)

    def stop(self, part: str) -> None:
        """Note the time since the end of the last part."""
        now = time.perf_counter()
        self.minutes[part] = (now - self.start) / 60
        self.start = now
        print(f"{part}: {self.minutes[part]:.1f} minutes", flush=True)


def main() -> int:
    """Run all parts, store their results, and write the page and its figures."""
    arguments = _parse_arguments()
    import torch

    if arguments.device == "cpu":
        torch.set_num_threads(arguments.threads)
    results = run(arguments)
    RESULTS.write_text(json.dumps(results, indent=1) + "\n")
    write_section(results)
    write_figures(results)
    print(f"seed {arguments.seed}, {sum(results['minutes'].values()):.1f} minutes")
    return 0


def run(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the results of all parts as JSON."""
    watch, rng = Stopwatch(), np.random.default_rng(arguments.seed)
    data = load_coco(
        folder=arguments.work / "coco",
        n_train=arguments.train,
        n_validation=arguments.validation,
        n_test=arguments.test,
        seed=arguments.seed,
    )
    watch.stop("data")
    captioner = _train(data, arguments)
    watch.stop("captioner")
    beams = {name: _decode(captioner, part, rng=rng) for name, part in _list_parts(data).items()}
    watch.stop("beams")
    scored = _score_language(data, beams, arguments)
    watch.stop("language models")
    metrics = _fit_metrics(data, folder=arguments.work, rng=rng)
    scores = {
        name: score_candidates(metrics, beams[name].captions, part.captions, rng=rng, image_keys=part.images.keys)
        for name, part in _list_parts(data).items()
    }
    watch.stop("metrics")
    grid = search_weights(scored["validation"], scores["validation"])
    chosen = _choose_weights(grid)
    rows = compare_weights(scored["test"], scores["test"], chosen, rng=rng)
    watch.stop("grid")
    distractors = probe_distractors(
        captioner,
        data.test,
        training_captions=list(chain.from_iterable(read_training_captions(seed=arguments.seed).values())),
        track=show_progress,
    )
    watch.stop("distractors")
    templates = compare_templates(
        {name: scored["test"].choose(weights) for name, weights in chosen.items()},
        data.test,
        training=data.train,
        objects=OBJECTS,
        rng=rng,
        track=show_progress,
    )
    watch.stop("templates")
    return {
        "captioner": captioner.info.id,
        "settings": _read_settings(arguments),
        "sizes": {name: getattr(arguments, name) for name in ("train", "validation", "test")},
        "seed": arguments.seed,
        "device": arguments.device,
        "minutes": watch.minutes,
        "weights": {name: asdict(weights) for name, weights in chosen.items()},
        "rows": [asdict(row) for row in rows],
        "grid": [
            asdict(weights) | {"values": row.values, "geometric_mean": row.geometric_mean}
            for weights, row in grid.rows.items()
        ],
        "examples": _find_examples(data, scored["test"], chosen),
        "distractors": asdict(distractors),
        "templates": asdict(templates),
    }


def _parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--captioner", default="att2in", help="a captioner over features that is trained (att2in)")
    parser.add_argument(
        "--setting", action="append", default=[], metavar="NAME=VALUE", help="a setting of its training"
    )
    parser.add_argument("--train", type=read_count, default=10_000, help="training images (10,000)")
    parser.add_argument("--validation", type=read_count, default=1_000, help="validation images (1,000)")
    parser.add_argument("--test", type=read_count, default=1_000, help="test images (1,000)")
    parser.add_argument("--seed", type=read_whole, default=0, help="of everything random (0)")
    parser.add_argument("--device", default="cpu", help="of captioner and language models (cpu)")
    parser.add_argument("--threads", type=read_count, default=1, help="of torch on the CPU (1)")
    parser.add_argument("--lm-hidden", type=read_count, default=256, help="units of the LSTM language model (256)")
    parser.add_argument("--lm-epochs", type=read_count, default=3, help="passes of the LSTM language model (3)")
    parser.add_argument(
        "--work", type=Path, default=ROOT / "var" / "captioning", help="where captioners learn (var/captioning)"
    )
    return parser.parse_args()


def _read_settings(arguments: argparse.Namespace) -> dict[str, Any]:
    return {**SETTINGS, **parse_settings(arguments.setting)}


def _list_parts(data: CocoCaptions) -> Mapping[str, CaptionedImages]:
    return {"validation": data.validation, "test": data.test}


def _train(data: CocoCaptions, arguments: argparse.Namespace) -> Captioner:
    settings = _read_settings(arguments)
    digest = hashlib.sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()[:8]
    name = f"{arguments.captioner}-{data.train.digest}-{digest}-{arguments.seed}"
    return train_captioner(
        load_captioners(),
        arguments.captioner,
        data.train,
        data.validation,
        folder=arguments.work / name,
        seed=arguments.seed,
        device=arguments.device,
        settings=settings,
        track=show_progress,
    )


def _decode(captioner: Captioner, part: CaptionedImages, *, rng: np.random.Generator) -> CaptionBatch:
    return run_captioner(
        captioner, part.images, n=BEAM.beam_size, decoding=BEAM, rng=rng, allow_empty=True, track=show_progress
    )


def _score_language(
    data: CocoCaptions, beams: Mapping[str, CaptionBatch], arguments: argparse.Namespace
) -> dict[str, ScoredCaptions]:
    import torch

    from captioning.networks.language_models import LstmModelSettings, UnigramModel, train_lstm_model
    from metrics_plugins.text.vocabulary import Vocabulary

    lines = list(chain.from_iterable(data.train.captions))
    vocabulary = Vocabulary.count(lines, min_count=5)
    unigram = UnigramModel(lines, vocabulary=vocabulary)
    lstm = train_lstm_model(
        lines,
        vocabulary=vocabulary,
        settings=LstmModelSettings(hidden=arguments.lm_hidden, epochs=arguments.lm_epochs),
        generator=torch.Generator().manual_seed(arguments.seed),
        device=arguments.device,
        track=show_progress,
    )
    return {name: score_language(batch, unigram=unigram, lstm=lstm) for name, batch in beams.items()}


def _fit_metrics(data: CocoCaptions, *, folder: Path, rng: np.random.Generator) -> list[Metric]:
    """Return the six metrics; those that learn from references are fitted on the training captions."""
    registry = load_registry()
    # What the caption behind the vector names is in the image: a captioner that repeats it invents nothing.
    objects = folder / "objects.json"
    known = {
        key: list(names)
        for part in _list_parts(data).values()
        for key, names in zip(part.images.keys, part.images.objects or (), strict=True)
    }
    objects.write_text(json.dumps(known))
    training = Batch.make(data.train.images.keys, references=data.train.captions)
    built = [registry.build(name, **({"objects": str(objects)} if name == "chair-s" else {})) for name in METRICS]
    return [fit_metric(metric, training, rng=rng) if isinstance(metric, Fittable) else metric for metric in built]


def _choose_weights(grid: Grid) -> dict[str, Weights]:
    """Return the weights of each row of the table: those of the best geometric mean on the validation images."""
    return {
        "beam": Weights(penalty=0.0, unigram_share=1.0),
        "+ unigram": grid.find_best(unigram_share=1.0),
        "+ LSTM": grid.find_best(unigram_share=0.0),
        "+ interpolated": grid.find_best(),
    }


def _find_examples(data: CocoCaptions, scored: ScoredCaptions, chosen: Mapping[str, Weights]) -> list[dict[str, Any]]:
    """Return the first test images whose caption changes, after figure 4."""
    before, after = (scored.choose(chosen[name]) for name in ("beam", "+ interpolated"))
    changed = [row for row in range(len(before)) if before[row] != after[row]][:6]
    keys = data.test.images.keys
    return [
        {
            "behind": data.held_out[keys[row]],
            "people": data.test.captions[row][0],
            "beam": before[row],
            "re-ranked": after[row],
        }
        for row in changed
    ]


if __name__ == "__main__":
    sys.exit(main())
