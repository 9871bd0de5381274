"""Compares generators of diverse captions on worlds: `python -m benchmarks.captioning.generators --folder FOLDER`.

After Wang, Wan and Chan (2022), section 5.3: random sampling (RS), random crops (RCI), Gaussian noise on the image
(GNC) and synonym switch (SS) with `lrcn-1u` as trained by `benchmarks.captioning.ice`, and different random vectors
(DRV) with `cvae`, `gmm-cvae` and `cgan`. Of each test world, 10 captions are measured: truth and grammaticality,
accuracy (CIDEr-D) and diversity (Self-CIDEr). Finished trainings stay in the folder. The section on generators of
docs/captioning-worlds.md is written.
"""

import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Final

import numpy as np

from benchmarks.captioning.ice import Sizes, find_training, load_set, make_parser, train_on_set
from benchmarks.captioning.ice_page import CROWD, FIRST, MANY, PAGE
from benchmarks.captioning.measuring import measure_captions
from benchmarks.captioning.pages import replace_section
from captioning.api import CaptionedImages
from captioning.captioners.generating import add_synonyms, generate_diverse_captions
from captioning.captioners.neural import NeuralCaptioner
from captioning.data.splits import Splits
from captioning.decoding.generators.catalogue import GeneratorName
from captioning.decoding.generators.settings import GeneratorSettings
from captioning.selection.best_of import measure_diversity, measure_people
from captioning.selection.dpp import count_references
from metrics_plugins.metrics.ngram.document_frequencies import DocumentFrequencies
from metrics_plugins.probes.tables import format_table

SETS: Final = (MANY, CROWD)
N: Final = 10
TRAIN_WITH: Final[Mapping[str, Mapping[str, object]]] = {
    FIRST: {},
    "cvae": {},
    "gmm-cvae": {},
    "cgan": {"objective": "adversarial", "objective_steps": 400, "objective_rate": 1e-4, "n_samples": 2},
}
"""A captioner, and its settings of training beside those of `benchmarks.captioning.ice`."""

SYSTEMS: Final[Sequence[tuple[GeneratorName, str]]] = (
    ("rs", FIRST),
    ("rci", FIRST),
    ("gnc", FIRST),
    ("ss", FIRST),
    ("drv", "cvae"),
    ("drv", "gmm-cvae"),
    ("drv", "cgan"),
)
TRUTH: Final = ("gtd-truthful", "gtd-grammatical")
COLUMNS: Final[Mapping[str, str]] = {
    "gtd-truthful": "truth",
    "gtd-grammatical": "grammaticality",
    "accuracy": "CIDEr-D",
    "self_cider": "Self-CIDEr",
}


def main() -> int:
    """Train, generate, measure, and write the section."""
    chosen = make_parser(__doc__ or "").parse_args()
    sizes = Sizes.make(chosen.steps)
    started = time.perf_counter()
    results = {name: _measure_set(name, sizes, chosen.folder, device=chosen.device) for name in SETS}
    write_section(results, sizes=sizes, minutes=(time.perf_counter() - started) / 60)
    return 0


def _measure_set(name: str, sizes: Sizes, folder: Path, *, device: str) -> dict[str, dict[str, float]]:
    """Return the measures of each system on a set, and of the references."""
    data = load_set(name, sizes, folder)
    documents = count_references(data.train.captions)
    captioners = {captioner: _train(name, captioner, data, sizes, folder, device=device) for captioner in TRAIN_WITH}
    found = {}
    for generator, captioner in SYSTEMS:
        captions = _generate(captioners[captioner], generator, data, seed=sizes.seed)
        title = f"{generator.upper()} ({captioner})"
        found[title] = _measure(captions, data.test, documents)
        sys.stderr.write(f"{name}, {title}: {found[title]}\n")
    references = _measure(data.test.captions, data.test, documents)
    return found | {"references": references | asdict(measure_people(data.test.captions, documents=documents))}


def _train(name: str, captioner: str, data: Splits, sizes: Sizes, folder: Path, *, device: str) -> NeuralCaptioner:
    own = find_training(name, captioner, sizes, folder)
    made = train_on_set(data, captioner, sizes, own, device=device, settings=TRAIN_WITH[captioner])
    assert isinstance(made, NeuralCaptioner)  # noqa: S101 - all that are named above
    return made


def _generate(
    captioner: NeuralCaptioner, generator: GeneratorName, data: Splits, *, seed: int
) -> tuple[tuple[str, ...], ...]:
    settings = GeneratorSettings(n=N, max_words=captioner.trained.settings.max_words)
    if generator == "ss":
        settings = add_synonyms(settings, captioner, data.train, rng=np.random.default_rng(seed))
    rng = np.random.default_rng(seed)
    return generate_diverse_captions(captioner, data.test.images, name=generator, settings=settings, rng=rng).captions


def _measure(
    captions: Sequence[Sequence[str]], data: CaptionedImages, documents: DocumentFrequencies
) -> dict[str, float]:
    """Return the measures of `(n_images,)` rows of the same number of captions."""
    columns = [measure_captions([row[place] for row in captions], data, metrics=TRUTH) for place in range(N)]
    means = {name: float(np.mean([each[name] for each in columns])) for name in TRUTH}
    return means | asdict(measure_diversity(captions, data.captions, documents=documents))


def write_section(results: Mapping[str, Mapping[str, Mapping[str, float]]], *, sizes: Sizes, minutes: float) -> None:
    """Write the table of measures."""
    rows = [
        [name, title, *(f"{100 * measured[column]:.1f}" for column in COLUMNS)]
        for name, systems in results.items()
        for title, measured in systems.items()
    ]
    content = "\n".join(
        [
            f"{N} captions of each of {sizes.n_test:,} test worlds, {sizes.steps:,} steps of training, seed "
            f"{sizes.seed}; {minutes:.0f} minutes of one core. Numbers times 100; the CIDEr-D of "
            "references is leave-one-out.",
            "",
            format_table(["set", "captions", *COLUMNS.values()], rows, n_names=2),
        ]
    )
    replace_section(PAGE, name="generators", content=content)


if __name__ == "__main__":
    sys.exit(main())
