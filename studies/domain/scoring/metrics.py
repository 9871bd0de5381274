"""Which metrics score an input, and how each is made ready to score it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version

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
    Trainable,
    fit_metric,
)
from metrics_plugins.readers import Corpus
from studies.domain.scoring.errors import ScoringFailed
from studies.domain.scoring.inputs import InputRows

_LIBRARIES = ("accordance", "numpy", "scipy", "rapidfuzz", "pycocoevalcap", "nltk", "spacy", "torch")


def list_metrics(
    registry: Registry, *, level: Level, available: frozenset[Input], has_corpus: bool = False
) -> list[str]:
    """Return the ids of all metrics that can score rows of this level with these columns, without being asked for.

    Those that learn from judgments are left out, and without a corpus those that learn from one: what they may learn
    from is the researcher's choice, and never the rows that they score. Nobody waits unasked for those that learn for
    long.
    """
    infos = [each.info for each in registry if not issubclass(each.metric_class, Trainable)]
    return [info.id for info in infos if not explain_unfit(info, level, available, has_corpus=has_corpus)]


def list_untaught(registry: Registry, *, level: Level, available: frozenset[Input]) -> list[tuple[str, str]]:
    """Return the metrics that only the want of something to learn from keeps from such rows, each with the reason."""
    untaught = []
    for registration in registry:
        info = registration.info
        reason = explain_unfit(info, level, available)
        if reason and issubclass(registration.metric_class, Trainable):
            reason = f"learns for long: fit it, then name it with what it learned: --param {info.id}.weights=FOLDER"
        if reason and info.level is level and info.inputs <= available:
            untaught.append((info.id, reason))
    return untaught


def explain_unfit(
    info: MetricInfo,
    level: Level,
    available: frozenset[Input],
    *,
    has_corpus: bool = False,
    is_taught: bool = False,
) -> str:
    """Return why a metric cannot score such rows, "" if it can; `is_taught` is one whose parameters taught it."""
    if info.level is not level:
        return f"gives one score for each {info.level}, and {level}s are scored here"
    if info.fits_on is FitsOn.JUDGMENTS and not is_taught:
        return "learns from judgments, and there is no choice yet of which ones"
    if info.fits_on is FitsOn.CAPTIONS and not has_corpus and not is_taught:
        return "learns from a corpus of captions, and none was named: --corpus FILE"
    missing = sorted(info.inputs - available)
    return f"reads {', '.join(missing)}, which the dataset does not have for every row" if missing else ""


def is_taught(metric: Metric | Fittable) -> bool:
    """Tell whether parameters gave a metric all that it would learn."""
    return isinstance(metric, Fittable) and metric.is_taught


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
        """What identifies the scores, with the corpus where one is learned from."""
        corpus = self.documents.find_corpus(self.built)
        return str(self.built.signature.name_corpus(corpus.digest) if corpus else self.built.signature)

    @cached_property
    def ready(self) -> Metric:
        """The metric that scores."""
        if not isinstance(self.built, Fittable):
            return self.built
        return fit_metric(self.built, self.documents.choose_batch(self.built), rng=np.random.default_rng(0))


@dataclass(frozen=True, eq=False)
class Documents:
    """What metrics of one input are fitted on: its own rows, made a batch once and only if asked for, or a corpus.

    Attributes:
        rows: The input.
        corpus: What the researcher named for metrics that learn from captions; None if nothing.
    """

    rows: InputRows
    corpus: Corpus | None = None

    def choose_batch(self, metric: Metric | Fittable) -> Batch:
        """Return what a metric learns from."""
        corpus = self.find_corpus(metric)
        return corpus.make_batch(metric.info) if corpus else self.batch

    def find_corpus(self, metric: Metric | Fittable) -> Corpus | None:
        """Return the corpus that a metric learns from, None if it learns from none."""
        return self.corpus if metric.info.fits_on is FitsOn.CAPTIONS and not is_taught(metric) else None

    @cached_property
    def batch(self) -> Batch:
        return self.rows.make_batch(self.rows.fit_rows)


def find_versions(distribution: str) -> dict[str, str]:
    """Return the versions of libraries and of a package (as `name version`), by name."""
    versions = {name: _find_version(name) for name in _LIBRARIES}
    plugin, _, plugin_version = distribution.rpartition(" ")
    return {name: found for name, found in {**versions, plugin: plugin_version}.items() if name and found}


def _find_version(name: str) -> str:
    # Asked of the installed packages, not of imported modules: some of them are slow to import.
    try:
        return version(name)
    except PackageNotFoundError:
        return ""
