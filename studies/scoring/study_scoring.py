"""Scores a study's dataset: computes the missing scores of all metrics on all inputs that its protocols need."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from correlation.protocols.reading import read_protocol
from execution.factory import choose_kind
from metrics_plugins.api import FitsOn, Level
from metrics_plugins.readers import Corpus
from metrics_plugins.runtime import Registry
from metrics_plugins.runtime.chunks import CHUNK_SIZE
from metrics_plugins.runtime.preparing import PreparedMetric
from metrics_plugins.runtime.sandbox.catalog import describe_registration
from metrics_plugins.runtime.sessions import AskedMetric, make_backend
from studies.access.audit import Actor, record_change
from studies.design.preregistration.declaration import confirm_metrics
from studies.design.preregistration.deviations import NOT_CONFIRMED, Confirmation
from studies.design.protocols import find_level, find_rule
from studies.enums import AuditAction
from studies.models import Study
from studies.scoring.chunks import count_chunks
from studies.scoring.errors import ScoringFailed
from studies.scoring.inputs import InputRows, build_rows
from studies.scoring.metric_choices import choose_signatures, find_disabled, find_signatures
from studies.scoring.metrics import choose_metrics, list_metrics, list_unfitted
from studies.scoring.pipeline import InputOutcome, InputPlan, Watch, score_input
from studies.scoring.plugins.catalog import load_plugins
from studies.scoring.references import ReferenceSelection, expand_rule
from studies.scoring.systems import SystemTable, tabulate_systems

NOT_INSTALLED: Final = "needs packages that are not installed"
"""How the reason begins if a metric is left out for lack of packages, rather than of data to learn from."""
_LEARNING: Final = (FitsOn.CAPTIONS, FitsOn.JUDGMENTS)


@dataclass(frozen=True, slots=True)
class ScoringOptions:
    """How to score.

    Attributes:
        chunk_size: Rows per chunk of a new run; an existing run keeps its own.
        processes: Worker processes; 1 scores in this process. A cluster (`ACCORDANCE_EXECUTOR`) uses its own workers.
        corpus: The captions that metrics are fitted on; metrics that need a corpus do not score without one.
        device: Where neural metrics compute: `cpu`, `cuda`, `cuda:1`, `mps`, ... On any device but the CPU, metrics
                score in this process, one after the other.
        params: Parameters by metric; the others have their defaults.
        judging: The study whose judgments metrics are trained on; by default the study that is scored.

    Raises:
        ScoringFailed: One of them is less than 1.
    """

    chunk_size: int = CHUNK_SIZE
    processes: int = 1
    corpus: Corpus | None = None
    params: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    device: str = "cpu"
    judging: Study | None = None

    def __post_init__(self) -> None:
        for name in ("chunk_size", "processes"):
            if getattr(self, name) < 1:
                raise ScoringFailed(f"{name.replace('_', ' ')}: must be at least 1, got {getattr(self, name)}")


@dataclass(frozen=True, slots=True)
class ScoredMetric:
    """The result of one metric on one input; `n_infinite` scores are infinite and count as missing.

    Of a metric that learns from captions or judgments, `n_unscored` rows have no score: it may have learned from them.
    """

    metric: str
    signature: str
    n_chunks: int
    n_computed: int
    n_infinite: int = 0
    n_unscored: int = 0


@dataclass(frozen=True, slots=True)
class ScoredInput:
    """The results on one input: rows of one level under one reference rule; `notes` say what to know of its rows."""

    level: str
    references: str
    n_rows: int
    metrics: tuple[ScoredMetric, ...]
    systems: SystemTable
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ScoringReport:
    """The report of `score_study`: `failures` pairs metrics with errors, `left_out` with what they lack."""

    dataset: str
    inputs: tuple[ScoredInput, ...]
    failures: tuple[tuple[str, str], ...]
    left_out: tuple[tuple[str, str], ...] = ()

    @property
    def n_computed(self) -> int:
        """The number of chunks computed in this call."""
        return sum(metric.n_computed for scored in self.inputs for metric in scored.metrics)


def score_study(
    study: Study,
    *,
    now: Callable[[], datetime],
    metrics: Sequence[str] = (),
    protocol: str = "",
    protocol_options: Sequence[str] = (),
    registry: Registry | None = None,
    options: ScoringOptions | None = None,
    watch: Watch | None = None,
    actor: Actor | None = None,
    confirmation: Confirmation = NOT_CONFIRMED,
) -> ScoringReport:
    """Score the dataset of a study; existing scores are not computed again.

    Args:
        study: Any study of the dataset.
        now: The clock.
        metrics: Ids; by default all enabled metrics that can score the rows with the data available.
        protocol: Score for this protocol only; by default for those of all studies of the dataset.
        protocol_options: `OPTION=VALUE` each, changes to `protocol` (without one: to the study's own).
        registry: The plugins; by default those installed.
        options: How to score.
        watch: Callbacks that report progress and may stop the scoring.
        actor: The account for the audit log; None if the request has been logged already.
        confirmation: Whether metrics beyond those of the preregistration are confirmed; not needed without `actor`.

    Raises:
        DeviationNotConfirmed: A metric is not among the preregistered ones, and this is not confirmed.
        ScoringFailed: Nothing can be scored as asked.
        ChildStopped: The watch asked to stop.
        UnknownMetric, ProtocolUnknown: There is no such metric or protocol; the message lists those available.
    """
    registry = registry or load_plugins()
    inputs = plan_inputs(study, protocol=protocol, protocol_options=protocol_options)
    asked = choose_metrics(registry, metrics, levels={level for level, _ in inputs}) if metrics else None
    options = options or ScoringOptions()
    has_corpus = options.corpus is not None
    backend = make_backend(choose_kind(), registry=registry, device=options.device, workers=options.processes)
    disabled = find_disabled(study)
    if actor:
        # Log before scoring: an interrupted run keeps its scores.
        level = find_level(study)
        enabled = [each.info.id for each in registry if each.info.level is level and each.info.id not in disabled]
        deviating = confirm_metrics(study, metrics or enabled, confirmation=confirmation)
        told = {"metrics": sorted(metrics) or "all", "protocol": protocol, **deviating}
        record_change(study, actor=actor, action=AuditAction.SCORED, now=now(), details=told)
    scored, failures, left_out = [], [], []
    for level, selection in inputs:
        rows = build_rows(study.dataset, level=level, selection=selection)
        rows.save(now=now())
        available = rows.available_inputs
        fitting = list_metrics(registry, level=level, available=available, has_corpus=has_corpus)
        names = asked[level] if asked else [name for name in fitting if name not in disabled]
        if not asked:
            unfitted = list_unfitted(registry, level=level, available=available)
            left_out += [(name, reason) for name, reason in unfitted if name not in fitting and name not in disabled]
        plan = InputPlan(
            rows,
            [AskedMetric(describe_registration(registry.get(name)), options.params.get(name, {})) for name in names],
            judging=options.judging or study,
            corpus=options.corpus,
            chunk_size=options.chunk_size,
        )
        outcome = score_input(plan, backend=backend, now=now, watch=watch)
        scored.append(_sum_up(rows, outcome))
        failures += outcome.failures.items()
        # Only a metric requested by name counts as failed; any other is reported as not available in this installation.
        lacking = [(name, f"{NOT_INSTALLED}: {why}") for name, why in outcome.unavailable.items()]
        failures += outcome.unavailable.items() if asked else ()
        left_out += [] if asked else lacking
    # Where the study uses the scores of certain parameters, switch to those of this call's parameters or judgments.
    learning = {each.info.id for each in registry if each.info.fits_on is FitsOn.JUDGMENTS}
    chosen = {*find_signatures(study), *options.params, *learning}
    used = {each.metric: each.signature for done in scored for each in done.metrics if each.metric in chosen}
    choose_signatures(study, used)
    return ScoringReport(
        dataset=study.dataset.name,
        inputs=tuple(scored),
        failures=tuple(dict.fromkeys(failures)),
        left_out=tuple(dict.fromkeys(left_out)),
    )


def _has_learned(metric: PreparedMetric) -> bool:
    """Whether a metric comes with what it learned from captions or judgments, and so may refuse rows."""
    return metric.is_fitted and metric.built.info.fits_on in _LEARNING


def _sum_up(rows: InputRows, outcome: InputOutcome) -> ScoredInput:
    prepared = {name: each.metric for name, each in outcome.prepared.items() if each.metric}
    metrics = tuple(
        ScoredMetric(
            name,
            run.signature,
            count_chunks(run),
            outcome.n_computed.get(name, 0),
            n_infinite=outcome.n_infinite[name],
            n_unscored=outcome.n_missing[name] if _has_learned(prepared[name]) else 0,
        )
        for name, run in outcome.runs.items()
    )
    systems = tabulate_systems(rows, outcome.runs, prepared)
    notes = rows.own_captions.list_notes()
    return ScoredInput(rows.level.value, str(rows.selection), len(rows), metrics, systems, notes)


def plan_inputs(
    study: Study, *, protocol: str = "", protocol_options: Sequence[str] = ()
) -> list[tuple[Level, ReferenceSelection]]:
    """Return the inputs that the named protocol needs, or those of every study of the dataset."""
    if protocol or protocol_options:
        chosen = read_protocol(protocol or study.protocol, options=protocol_options)
        return [(find_level(study), selection) for selection in expand_rule(chosen.references, dataset=study.dataset)]
    siblings = study.dataset.studies.order_by("pk")
    planned = [
        (find_level(each), selection)
        for each in siblings
        for selection in expand_rule(find_rule(each), dataset=study.dataset)
    ]
    return list(dict.fromkeys(planned))
