"""Joins a study's judgments with the stored scores of metrics, under a protocol."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from correlation.errors import CorrelationInputError
from correlation.protocols.named import Protocol
from correlation.protocols.reading import read_protocol
from correlation.resampling.intervals import IntervalRequest
from metrics_plugins.runtime import Registry
from metrics_plugins.runtime.sandbox import Catalog
from studies.collection.judgments import StudyJudgments, check_judged, load_judgments
from studies.datasets.external_scores import PREFIX, VERSION
from studies.design.protocols import explain_misfit, find_level, find_rule
from studies.models import Run, Study
from studies.scoring.errors import MissingScores
from studies.scoring.metric_choices import find_disabled, find_signatures
from studies.scoring.plugins.catalog import load_catalog
from studies.scoring.references import DRAW_SEED
from studies.scoring.stored_scores import LoadedScores, list_external, load_draws, read_version
from studies.shared.own_captions import OwnCaptions
from studies.shared.problems import Lack, Problem


@dataclass(frozen=True, slots=True, eq=False)
class MetricObservations:
    """The scores of one metric, aligned with the judgments of a study.

    Attributes:
        metric, run: The metric's id, and the run of its scores.
        scores: `(n_draws, n_items, 1)`, for pairs `(n_draws, n_items, 2)`; more is better.
    """

    metric: str
    run: Run
    scores: npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class StudyObservations:
    """The input of correlations and figures.

    Attributes:
        study: The study of the judgments: the requested one, or the sibling that the protocol belongs to.
        unscored: Ids of installed metrics that fit the study and have no scores.
        infinite: Metrics with infinite scores, which count as missing, and the numbers of these.
        own_captions: How many captions are among the references that they are compared with (of drawn references: those
            of the first draw); None if it was not counted.
    """

    study: Study
    protocol: Protocol
    judgments: StudyJudgments
    metrics: tuple[MetricObservations, ...]
    unscored: tuple[str, ...]
    infinite: tuple[tuple[str, int], ...] = ()
    own_captions: OwnCaptions | None = None


def gather_observations(
    study: Study,
    *,
    protocol: str | None = None,
    protocol_options: Sequence[str] = (),
    metrics: Sequence[str] | None = None,
    registry: Registry | None = None,
    signatures: Mapping[str, str] | None = None,
    with_excluded: bool = False,
) -> StudyObservations:
    """Load a study's judgments and the scores of metrics.

    Args:
        study: The study. If the protocol belongs to a sibling (another study of the dataset), the sibling is used.
        protocol: By default the study's own.
        protocol_options: `OPTION=VALUE` each, changes to the protocol.
        metrics: Ids; by default all that have scores and are enabled in the study.
        registry: The plugins; by default those installed.
        signatures: Instead of `metrics` and `registry`: ids with the signatures of the scores, which may be of metrics
            that are not installed.
        with_excluded: Whether to include the judgments of excluded raters.

    Raises:
        MissingScores: A requested metric has no scores, or none has any; the message has the command to run.
        CorrelationInputError: There are no judgments, or the protocol is invalid or does not fit them.
        UnknownMetric: A metric is not installed.
    """
    chosen = read_protocol(protocol or study.protocol, options=protocol_options)
    judging = find_judged_study(study, chosen)
    misfit = explain_misfit(chosen, kind=judging.kind)
    if misfit:
        raise CorrelationInputError(f"study {judging.name}: {misfit}, got {chosen.reference}")
    check_judged(judging)
    level = find_level(judging)
    if signatures is not None:
        metrics, versions = tuple(signatures), {name: read_version(text) for name, text in signatures.items()}
    else:
        versions = find_versions(judging, registry or load_catalog(), metrics=metrics)
        signatures = find_signatures(judging)
    loaded = load_draws(judging.dataset, level=level, rule=chosen.references, versions=versions, signatures=signatures)
    unscored = [name for name in versions if any(name not in scores.values for scores in loaded)]
    if versions and (unscored if metrics is not None else len(unscored) == len(versions)):
        raise MissingScores(_advise(judging, chosen, unscored if metrics is not None else (), options=protocol_options))
    judgments = load_judgments(judging, chosen, with_excluded=with_excluded)
    places = [_find_places(scores, judgments, judging) for scores in loaded]
    return StudyObservations(
        study=judging,
        protocol=chosen,
        judgments=judgments,
        metrics=tuple(_align(name, loaded, places) for name in versions if name not in unscored),
        unscored=tuple(unscored),
        infinite=_count_infinite(loaded, leaving_out=unscored),
        own_captions=loaded[0].own_captions,
    )


def _count_infinite(loaded: Sequence[LoadedScores], *, leaving_out: Sequence[str]) -> tuple[tuple[str, int], ...]:
    # All draws of references have the same rows, so use the maximum instead of the sum.
    counts = {name: max(each.infinite.get(name, 0) for each in loaded) for each in loaded for name in each.infinite}
    return tuple(sorted((name, count) for name, count in counts.items() if name not in leaving_out))


def find_versions(
    study: Study, registry: Registry | Catalog, *, metrics: Sequence[str] | None = None
) -> dict[str, str]:
    """Return the versions of the requested metrics, or of all enabled ones that fit the study's level.

    Raises:
        UnknownMetric: There is no such metric.
    """
    if metrics is not None:
        return {name: VERSION if name.startswith(PREFIX) else registry.get(name).info.version for name in metrics}
    level = find_level(study)
    versions = {each.info.id: each.info.version for each in registry if each.info.level is level}
    versions |= dict.fromkeys(list_external(study.dataset, level=level), VERSION)
    disabled = find_disabled(study)
    return {name: version for name, version in versions.items() if name not in disabled}


def refuse_placeholders(gathered: StudyObservations, axes: Sequence[str]) -> None:
    """Raise an error if placeholder raters are to be resampled: equal positions may be different people."""
    if "raters" in axes and gathered.judgments.is_computed:
        raise CorrelationInputError(
            f"study {gathered.study.name}: its judgments are computed, so that there are no raters to resample; "
            "resample images or systems"
        )
    if "raters" in axes and gathered.judgments.has_placeholders:
        raise CorrelationInputError(
            f"study {gathered.study.name}: its raters are placeholders (first vote, second vote, ...), not "
            "individual raters, and cannot be resampled; resample images or systems"
        )


def sign_run(run: Run) -> str:
    """Return the signature of a metric's scores as used, where more is better."""
    return run.signature if run.higher_is_better else f"{run.signature}|negated"


def sign_interval(interval: IntervalRequest | None, *, seed: int) -> str:
    """Return the end of a signature that describes the interval; with the seed if it is random."""
    if interval is None:
        return ""
    drawn = f"|seed:{seed}" if interval.method in ("percentile", "bca") else ""
    return f" / {interval.signature}{drawn}"


def sign_left_out(judgments: StudyJudgments) -> tuple[str, ...]:
    """Return the parts of a signature for the numbers of excluded raters and judgments; empty if there are none."""
    counts = {"excluded-raters": judgments.n_excluded, "surplus-judgments": judgments.n_surplus}
    return tuple(f"{name}:{count}" for name, count in counts.items() if count)


def sign_number(gathered: StudyObservations, run: Run, interval: IntervalRequest | None, *, seed: int) -> str:
    """Return the signature of a metric's numbers: those of its scores, the protocol and the interval."""
    protocol = gathered.protocol
    drawn = f"|seed:{DRAW_SEED}" if protocol.references.kind == "draw" else ""
    left_out = "".join(f"|{part}" for part in sign_left_out(gathered.judgments))
    return f"{sign_run(run)} / {protocol.signature}{drawn}{left_out}{sign_interval(interval, seed=seed)}"


def find_judged_study(study: Study, protocol: Protocol) -> Study:
    """Return the study itself if the protocol is its own or no study's, else the sibling that it belongs to.

    Raises:
        CorrelationInputError: It belongs to several siblings.
    """
    if _names_protocol(study, protocol):
        return study
    siblings = [sibling for sibling in study.dataset.studies.order_by("pk") if _names_protocol(sibling, protocol)]
    if len(siblings) > 1:
        names = ", ".join(sibling.name for sibling in siblings)
        raise CorrelationInputError(f"protocol {protocol.reference} is used by several studies; choose one of: {names}")
    return siblings[0] if siblings else study


def _names_protocol(study: Study, protocol: Protocol) -> bool:
    return study.protocol.partition("|")[0] in (protocol.name, protocol.reference)


def _find_places(scores: LoadedScores, judgments: StudyJudgments, study: Study) -> npt.NDArray[np.int64]:
    places = scores.find_rows(judgments.scored)
    absent = int((places < 0).sum())
    if absent and scores.values:
        raise MissingScores(
            f"study {study.name}: {absent} captions were added after it was scored; run: manage.py score {study.name}"
        )
    return places


def _align(name: str, loaded: Sequence[LoadedScores], places: Sequence[npt.NDArray[np.int64]]) -> MetricObservations:
    run = loaded[0].runs[name]
    scores = np.stack([scores.values[name][rows] for scores, rows in zip(loaded, places, strict=True)])
    return MetricObservations(name, run, scores if run.higher_is_better else -scores)


def _advise(study: Study, protocol: Protocol, metrics: Sequence[str], *, options: Sequence[str]) -> Problem:
    outside = [name for name in metrics if name.startswith(PREFIX)]
    if outside:
        known = ", ".join(list_external(study.dataset, level=find_level(study))) or "none"
        return Problem(f"study {study.name} has no scores of {', '.join(outside)} (scores from outside: {known})")
    command = f"manage.py score {study.name}"
    if metrics:
        command += f" --metrics {','.join(metrics)}"
    has_own_options = not options and protocol.references == find_rule(study)
    if not has_own_options:
        command += f" --protocol '{protocol.reference}'"
        command += "".join(f" --option '{option}'" for option in options)
    told = ", ".join(metrics) or "any metric"
    # With other options than the study's own, metrics have often been run, only not with these.
    return Problem(
        f"study {study.name} has no scores of {told} with references {protocol.references.signature}; run: {command}",
        Lack.SCORES if has_own_options and not metrics else None,
    )
