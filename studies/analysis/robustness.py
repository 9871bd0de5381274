"""Measures the robustness of metrics on the references of a dataset, as curves."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Final

import numpy as np
from django.conf import settings

from correlation.errors import CorrelationInputError
from execution.whole_files import write_whole
from metrics_plugins.api.progress import Track, pass_on
from metrics_plugins.probes.fitting import fit_all
from metrics_plugins.probes.robustness import RobustnessReport, Summary, divide_strengths, measure_robustness
from metrics_plugins.probes.robustness_report import format_robustness_csv, format_robustness_json, print_robustness
from metrics_plugins.readers import read_corpus
from metrics_plugins.runtime import Registry
from metrics_plugins.runtime.sessions import TrustedBackend
from metrics_plugins.text.distortions import Distortion
from studies.models import Dataset, Reference
from studies.scoring.plugins.catalog import load_plugins
from studies.shared.files import check_output

TITLES: Final[Mapping[Distortion, str]] = MappingProxyType(
    {
        Distortion.RANDOM_CAPTION: "RC: captions of other images",
        Distortion.WORD_PERMUTATION: "WP: permuted words",
        Distortion.RANDOM_WORDS: "RW: random words",
    }
)


@dataclass(frozen=True, slots=True)
class RobustnessRequest:
    """The options of a measurement.

    Attributes:
        metrics: Ids.
        distortions: Names of `Distortion`.
        n_steps: The number of steps of strength from 0 to 1.
        position: The position of the reference of each image to distort, from 0.
        summary: The mean of scores, or the metric's system score.
        seed: The seed of all draws.
        corpus: Files of captions, separated by commas, on which metrics are fitted (`FitsOn.CAPTIONS`); "" for none.
    """

    metrics: Sequence[str]
    distortions: Sequence[str] = tuple(Distortion)
    n_steps: int = 10
    position: int = 0
    summary: Summary = "mean"
    seed: int = 0
    corpus: str = ""


def measure_dataset(
    dataset: Dataset, request: RobustnessRequest, *, registry: Registry | None = None, track: Track = pass_on
) -> RobustnessReport:
    """Return the robustness curves of metrics on the references of a dataset.

    Raises:
        CorrelationInputError: A distortion is unknown, or there are no steps.
        MetricError: A metric is unknown, does not fit or fails, or too few images have two references.
        InputError: A file of the corpus is invalid.
        BrokenExecutor: The cluster ended or cannot be used.
    """
    unknown = [name for name in request.distortions if name not in set(Distortion)]
    if unknown:
        raise CorrelationInputError(f"a distortion must be one of {', '.join(Distortion)}, got {unknown[0]!r}")
    if request.n_steps < 1:
        raise CorrelationInputError(f"strengths need at least 1 step from 0 to 1, got {request.n_steps}")
    registry = registry or load_plugins()
    rng = np.random.default_rng(request.seed)
    corpus = read_corpus(request.corpus) if request.corpus else None
    fitted = fit_all([registry.build(name) for name in request.metrics], corpus, rng=rng)
    report = measure_robustness(
        fitted.metrics,
        load_references(dataset),
        rng=rng,
        distortions=[Distortion(name) for name in request.distortions],
        strengths=divide_strengths(request.n_steps),
        position=request.position,
        summary=request.summary,
        # In this process, unless a cluster is chosen.
        backend=TrustedBackend(registry=registry, kind=settings.ACCORDANCE_EXECUTOR),
        track=track,
    )
    curves = [replace(each, signature=fitted.sign(each.metric, each.signature)) for each in report.curves]
    return replace(report, curves=tuple(curves))


def load_references(dataset: Dataset) -> dict[str, list[str]]:
    """Return the references of each image by its key, in order."""
    references: dict[str, list[str]] = {}
    rows = Reference.objects.filter(image__dataset=dataset).order_by("image_id", "position")
    for key, text in rows.values_list("image__key", "text"):
        references.setdefault(key, []).append(text)
    return references


def write_robustness(report: RobustnessReport, path: Path, *, title: str) -> None:
    """Write the curves in the format of the file extension."""
    write_whole(path, FORMS[path.suffix](report, title))


def _draw(file_format: str, report: RobustnessReport, title: str) -> bytes:
    from correlation.figures import draw_robustness, render

    panels: dict[str, dict[str, Sequence[float]]] = {}
    areas: dict[str, dict[str, float]] = {}
    for curve in report.curves:
        panels.setdefault(TITLES[curve.distortion], {})[curve.metric] = curve.normalised
        areas.setdefault(TITLES[curve.distortion], {})[curve.metric] = curve.auc
    lines = [
        f"{report.n_images:,} human captions, perturbed with increasing strength ({report.summary} score).",
        "A smaller area means a more robust metric; for metrics where lower is better, a larger area does.",
    ]
    drawn = draw_robustness(report.curves[0].strengths, panels, areas=areas, title=title, lines=lines)
    return render(drawn, file_format)


FORMS: Mapping[str, Callable[[RobustnessReport, str], bytes]] = MappingProxyType(
    {
        ".json": lambda report, _: format_robustness_json(report).encode(),
        ".csv": lambda report, _: format_robustness_csv(report).encode(),
        ".md": lambda report, title: f"# {title}\n\n{print_robustness(report)}".encode(),
        **{f".{name}": partial(_draw, name) for name in ("svg", "png", "pdf")},
    }
)
"""File extension -> the content of the file, from the report and its title."""

check_path = partial(check_output, formats=FORMS, what="robustness")
"""Raises an error, before anything is computed, if a file cannot be written."""
