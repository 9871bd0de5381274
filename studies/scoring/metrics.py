"""Which metrics score an input, and how each is made ready to score it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version

import numpy as np

from metrics_plugins.api import Batch, FitsOn, Fittable, Input, Level, Metric, MetricInfo
from metrics_plugins.api.judged import JudgedRows
from metrics_plugins.api.metric import Trainable
from metrics_plugins.readers import Corpus
from metrics_plugins.runtime import Registration, Registry, fit_metric, fit_on_judgments
from metrics_plugins.runtime.cross_fitting import name_judgments
from studies.models import Study
from studies.scoring.errors import ScoringFailed
from studies.scoring.inputs import InputRows
from studies.scoring.judged import load_judged

_LIBRARIES = ("accordance", "numpy", "scipy", "rapidfuzz", "pycocoevalcap", "nltk", "spacy", "torch")


def list_metrics(
    registry: Registry, *, level: Level, available: frozenset[Input], has_corpus: bool = False
) -> list[str]:
    """Return the ids of all metrics that can score rows of this level with these columns, without being asked for.

    Those that learn from judgments are left out, and without a corpus those that learn from one: what they may learn
    from is the researcher's choice. Nobody waits unasked for those that learn for long.
    """
    infos = [each.info for each in registry if not issubclass(each.metric_class, Trainable)]
    return [info.id for info in infos if not explain_unfit(info, level, available, has_corpus=has_corpus)]


def list_untaught(registry: Registry, *, level: Level, available: frozenset[Input]) -> list[tuple[str, str]]:
    """Return the metrics that only the want of something to learn from keeps from such rows, each with the reason."""
    untaught = []
    for registration in registry:
        info = registration.info
        reason = explain_unfit(info, level, available)
        if reason and issubclass(registration.metric_class, Trainable) and info.fits_on is not FitsOn.JUDGMENTS:
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
    has_judgments: bool = False,
    is_taught: bool = False,
) -> str:
    """Return why a metric cannot score such rows, "" if it can.

    Args:
        info: The metric's declaration.
        level: What one row is.
        available: The columns that there are.
        has_corpus: Whether captions were named that it may learn from.
        has_judgments: Whether a study was: where a metric is asked for by name, the study that is scored is one.
        is_taught: Whether its parameters taught it.
    """
    if info.level is not level:
        return f"gives one score for each {info.level}, and {level}s are scored here"
    if info.fits_on is FitsOn.JUDGMENTS and not has_judgments and not is_taught:
        return "learns from judgments: ask for it by name, and it learns from those of the study, by folds of images"
    if info.fits_on is FitsOn.CAPTIONS and not has_corpus and not is_taught:
        return "learns from a corpus of captions, and none was named: --corpus FILE"
    missing = sorted(info.inputs - available)
    return f"reads {', '.join(missing)}, which the dataset does not have for every row" if missing else ""


def is_taught(metric: Metric | Fittable) -> bool:
    """Tell whether parameters gave a metric all that it would learn."""
    return isinstance(metric, Fittable) and metric.is_taught


def learns_from_judgments(metric: Metric | Fittable) -> bool:
    """Tell whether a metric has yet to learn from judgments."""
    return isinstance(metric, Fittable) and metric.info.fits_on is FitsOn.JUDGMENTS and not metric.is_taught


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
        """What identifies the scores, with the corpus or the judgments where they are learned from.

        Raises:
            ScoringFailed: There are no judgments to learn from.
        """
        if learns_from_judgments(self.built):
            documents = self.documents
            return str(name_judgments(self.built.signature, documents.judged, scored=documents.scored_images))
        corpus = self.documents.find_corpus(self.built)
        return str(self.built.signature.name_corpus(corpus.digest) if corpus else self.built.signature)

    @cached_property
    def ready(self) -> Metric:
        """The metric that scores."""
        if not isinstance(self.built, Fittable):
            return self.built
        rng = np.random.default_rng(0)
        if learns_from_judgments(self.built):
            return fit_on_judgments(self.built, self.documents.judged, scored=self.documents.scored_images, rng=rng)
        return fit_metric(self.built, self.documents.choose_batch(self.built), rng=rng)


@dataclass(frozen=True, eq=False)
class Documents:
    """What metrics of one input are fitted on: its own rows, made once and only if asked for, a corpus, or judgments.

    Attributes:
        rows: The input.
        corpus: What the researcher named for metrics that learn from captions; None if nothing.
        judging: The study whose judgments metrics learn from that learn from some; None if there is none.
    """

    rows: InputRows
    corpus: Corpus | None = None
    judging: Study | None = None

    def choose_batch(self, metric: Metric | Fittable) -> Batch:
        """Return what a metric learns from."""
        corpus = self.find_corpus(metric)
        return corpus.make_batch(metric.info) if corpus else self.batch

    def find_corpus(self, metric: Metric | Fittable) -> Corpus | None:
        """Return the corpus that a metric learns from, None if it learns from none."""
        return self.corpus if metric.info.fits_on is FitsOn.CAPTIONS and not is_taught(metric) else None

    @cached_property
    def judged(self) -> JudgedRows:
        """The judged rows; raises `ScoringFailed` if there are none."""
        if self.judging is None:
            raise ScoringFailed("there is no study whose judgments could be learned from")
        return load_judged(self.judging, self.rows)

    @cached_property
    def scored_images(self) -> frozenset[str]:
        """The keys of the images of all rows."""
        return frozenset(self.rows.image_keys)

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
