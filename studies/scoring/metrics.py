"""Selection of the metrics for an input, and of the library versions that they use."""

from collections.abc import Iterable, Sequence

from metrics_plugins.api import FitsOn, Input, Level, MetricInfo
from metrics_plugins.api.metric import Trainable
from metrics_plugins.runtime import Registry
from metrics_plugins.runtime.installed import read_versions
from studies.scoring.errors import ScoringFailed

_LIBRARIES = ("accordance", "numpy", "scipy", "rapidfuzz", "pycocoevalcap", "nltk", "spacy", "torch")


def list_metrics(
    registry: Registry, *, level: Level, available: frozenset[Input], has_corpus: bool = False
) -> list[str]:
    """Return the ids of the metrics that score rows of this level with these columns by default.

    Metrics trained on judgments are omitted, and so are metrics fitted on captions if there is no corpus: the
    researcher chooses the training data. Metrics that take long to train must be requested explicitly.
    """
    infos = [each.info for each in registry if not issubclass(each.metric_class, Trainable)]
    return [info.id for info in infos if not explain_unfit(info, level, available, has_corpus=has_corpus)]


def list_unfitted(registry: Registry, *, level: Level, available: frozenset[Input]) -> list[tuple[str, str]]:
    """Return the metrics that cannot score such rows only for lack of training data, each with the reason."""
    unfitted = []
    for registration in registry:
        info = registration.info
        reason = explain_unfit(info, level, available)
        if reason and issubclass(registration.metric_class, Trainable) and info.fits_on is not FitsOn.JUDGMENTS:
            reason = f"takes long to fit: fit it first, then pass the result: --param {info.id}.weights=FOLDER"
        if reason and info.level is level and info.inputs <= available:
            unfitted.append((info.id, reason))
    return unfitted


def explain_unfit(
    info: MetricInfo,
    level: Level,
    available: frozenset[Input],
    *,
    has_corpus: bool = False,
    has_judgments: bool = False,
    is_fitted: bool = False,
) -> str:
    """Return the reason why a metric cannot score such rows, or "" if it can.

    Args:
        info: The metric's declaration.
        level: The level of a row.
        available: The available columns.
        has_corpus: Whether a corpus of captions was given for fitting.
        has_judgments: Whether a study with judgments was given; for a metric requested by name, one always is.
        is_fitted: Whether its parameters already provide a fitted state.
    """
    if info.level is not level:
        return f"computes one score per {info.level}, but {level}s are scored here"
    if info.fits_on is FitsOn.JUDGMENTS and not has_judgments and not is_fitted:
        return "is fitted on judgments: select it by name to cross-fit it on the judgments of the study, over images"
    if info.fits_on is FitsOn.CAPTIONS and not has_corpus and not is_fitted:
        return "is fitted on a corpus of captions, but none was given: --corpus FILE"
    missing = sorted(info.inputs - available)
    return f"needs {', '.join(missing)}, which the dataset does not have for every row" if missing else ""


def choose_metrics(registry: Registry, asked: Sequence[str], *, levels: Iterable[Level]) -> dict[Level, list[str]]:
    """Return the requested metrics by level.

    Raises:
        UnknownMetric: No installed plugin provides it.
        ScoringFailed: The level of a metric is not among `levels`.
    """
    chosen: dict[Level, list[str]] = {level: [] for level in levels}
    for name in dict.fromkeys(asked):
        info = registry.get(name).info
        if info.level not in chosen:
            raise ScoringFailed(f"metric {name}: computes one score per {info.level}, got a study of {_name(chosen)}")
        chosen[info.level].append(name)
    return chosen


def _name(levels: Iterable[Level]) -> str:
    return " and ".join(f"{level}s" for level in levels)


def find_versions(distribution: str) -> dict[str, str]:
    """Return the versions of the libraries and of one package (as `name version`), by name."""
    versions = read_versions(_LIBRARIES)
    plugin, _, plugin_version = distribution.rpartition(" ")
    return {name: found for name, found in {**versions, plugin: plugin_version}.items() if name and found}
