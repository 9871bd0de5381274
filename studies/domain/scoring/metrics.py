"""Which metrics score an input, and how each is made ready to score it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from typing import Final

import numpy as np

from metrics_plugins.api import (
    Batch,
    FitsOn,
    Fittable,
    Input,
    Level,
    Metric,
    MetricInfo,
    Registration,
    Registry,
    fit_metric,
)
from studies.domain.scoring.errors import ScoringFailed
from studies.domain.scoring.inputs import InputRows

_UNTAUGHT: Final[Mapping[FitsOn, str]] = {
    FitsOn.CAPTIONS: "learns from a corpus of captions, and there is no choice yet of which one",
    FitsOn.JUDGMENTS: "learns from judgments, and there is no choice yet of which ones",
}
_LIBRARIES = ("accordance", "numpy", "scipy", "rapidfuzz", "pycocoevalcap", "nltk", "spacy", "torch")


def list_metrics(registry: Registry, *, level: Level, available: frozenset[Input]) -> list[str]:
    """Return the ids of all metrics that can score rows of this level with these columns, without being asked for.

    Those that learn from judgments or from a corpus are left out: what they may learn from is the researcher's choice,
    and never the rows that they score.
    """
    return [registration.info.id for registration in registry if not explain_unfit(registration.info, level, available)]


def explain_unfit(info: MetricInfo, level: Level, available: frozenset[Input]) -> str:
    """Return why a metric cannot score such rows, "" if it can."""
    if info.level is not level:
        return f"gives one score for each {info.level}, and {level}s are scored here"
    if info.fits_on in _UNTAUGHT:
        return _UNTAUGHT[info.fits_on]
    missing = sorted(info.inputs - available)
    return f"reads {', '.join(missing)}, which the dataset does not have for every row" if missing else ""


def choose_metrics(registry: Registry, asked: Sequence[str], *, levels: Iterable[Level]) -> dict[Level, list[str]]:
    """Return the metrics asked for, by level.

    Raises:
        UnknownMetric: No installed plugin has it.
        ScoringFailed: A metric is of a level that is not scored.
    """
    chosen: dict[Level, list[str]] = {level: [] for level in levels}
    for name in dict.fromkeys(asked):
        info = registry.get(name).info
        if info.level not in chosen:
            raise ScoringFailed(f"metric {name}: gives one score for each {info.level}, got a study of {_name(chosen)}")
        chosen[info.level].append(name)
    return chosen


def _name(levels: Iterable[Level]) -> str:
    return " and ".join(f"{level}s" for level in levels)


@dataclass(frozen=True, eq=False)
class PreparedMetric:
    """A metric for one input; it is fitted when it first has to score.

    Attributes:
        registration: Where it comes from.
        built: As the registry built it.
        documents: The batch that a metric is fitted on; one for all metrics of the input.
    """

    registration: Registration
    built: Metric | Fittable
    documents: "Documents"

    @property
    def signature(self) -> str:
        return str(self.built.signature)

    @cached_property
    def ready(self) -> Metric:
        """The metric that scores."""
        if not isinstance(self.built, Fittable):
            return self.built
        return fit_metric(self.built, self.documents.batch, rng=np.random.default_rng(0))


@dataclass(frozen=True, eq=False)
class Documents:
    """The batch that metrics of one input are fitted on, made once and only if one of them asks."""

    rows: InputRows

    @cached_property
    def batch(self) -> Batch:
        return self.rows.make_batch(self.rows.fit_rows)


def describe_versions(registration: Registration) -> dict[str, str]:
    """Return the versions of what a score may depend on, by package name."""
    versions = {name: _find_version(name) for name in _LIBRARIES}
    plugin, _, plugin_version = registration.distribution.rpartition(" ")
    return {name: found for name, found in {**versions, plugin: plugin_version}.items() if name and found}


def _find_version(name: str) -> str:
    # Asked of the installed packages, not of imported modules: some of them are slow to import.
    try:
        return version(name)
    except PackageNotFoundError:
        return ""
