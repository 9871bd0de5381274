"""The table of all checks: name, clause of the contract, and when the check applies."""

from collections.abc import Callable
from dataclasses import dataclass

from metrics_plugins.api.info import Input, Level
from metrics_plugins.api.metric import DecomposableMetric, Fittable
from metrics_plugins.runtime.checks import files, fitting, identity, reading, scoring
from metrics_plugins.runtime.checks.subject import Subject
from metrics_plugins.runtime.registry import MetricClass


def _always(_: MetricClass) -> bool:
    return True


def _is_deterministic(metric_class: MetricClass) -> bool:
    return metric_class.info.deterministic


def _scores_rows(metric_class: MetricClass) -> bool:
    return metric_class.info.deterministic and metric_class.info.level is not Level.CORPUS


def _reads_references(metric_class: MetricClass) -> bool:
    return Input.REFERENCES in metric_class.info.inputs


def _is_fittable(metric_class: MetricClass) -> bool:
    return issubclass(metric_class, Fittable)


def _fits_repeatably(metric_class: MetricClass) -> bool:
    return _is_fittable(metric_class) and metric_class.info.deterministic


def _may_have_statistics(metric_class: MetricClass) -> bool:
    return metric_class.info.deterministic and issubclass(metric_class, DecomposableMetric | Fittable)


@dataclass(frozen=True, slots=True)
class Check:
    """One clause of the contract.

    Attributes:
        name: The name used in test ids and reports.
        clause: What must hold.
        run: Raises `CheckFailed` if it does not hold.
        applies: Whether the clause applies to a metric.
    """

    name: str
    clause: str
    run: Callable[[Subject], None]
    applies: Callable[[MetricClass], bool] = _always


CHECKS = (
    Check(
        "declared-inputs",
        "reads only the columns it declares, and no other column changes a score",
        reading.check_declared_inputs,
    ),
    Check(
        "declared-level",
        "needs the captions that its level is about, and gives one score a row (one in all at corpus level)",
        scoring.check_declared_level,
    ),
    Check("keys-kept", "returns the keys of its batch, in order", scoring.check_keys_kept),
    Check("within-bounds", "returns float64 within its bounds, or NaN, but not only NaN", scoring.check_within_bounds),
    Check("finite", "gives no infinite score: where there is none it gives NaN", scoring.check_finite),
    Check(
        "order-invariance",
        "gives a row the same score, to the last bit, whatever the order of rows",
        scoring.check_order_invariance,
        _is_deterministic,
    ),
    Check(
        "split-invariance",
        "gives a row the same score, to the last bit, however the rows are split into batches",
        scoring.check_split_invariance,
        _scores_rows,
    ),
    Check(
        "determinism",
        "gives the same scores twice, and from a new instance",
        scoring.check_determinism,
        _is_deterministic,
    ),
    Check("batch-unchanged", "changes nothing in the batch it scores or fits on", reading.check_batch_unchanged),
    Check("empty-captions", "scores captions without a word", scoring.check_empty_captions),
    Check("one-word-captions", "scores captions of one word", scoring.check_one_word_captions),
    Check(
        "non-ascii-captions",
        "scores any Unicode text, and line breaks inside a caption shift nothing",
        scoring.check_non_ascii_captions,
    ),
    Check(
        "no-references",
        "scores a row without references, if only with NaN",
        scoring.check_no_references,
        _reads_references,
    ),
    Check("parameters", "takes only keyword-only, typed parameters with defaults", identity.check_parameters),
    Check("signature", "prints every parameter in its signature, which changes with each", identity.check_signature),
    Check("declared-files", "opens no file that a parameter of plain text names", files.check_declared_files),
    Check("pickling", "survives pickling, before and after fitting", identity.check_pickling),
    Check("light-import", "imports no heavy library when its plugin is loaded", identity.check_light_import),
    Check("declared-fitting", "declares what it fits on, exactly if it is a Fittable", fitting.check_declared_fitting),
    Check("fit-repeatable", "fits twice with equal results", fitting.check_fit_repeatable, _fits_repeatably),
    Check("fitted-info", "keeps info and signature when fitted", fitting.check_fitted_info, _is_fittable),
    Check(
        "fitted-on", "tells the keys of the rows whose judgments it learned from", fitting.check_fitted_on, _is_fittable
    ),
    Check(
        "statistics",
        "if a function of sums: scores are `reduce` of statistics, the system's score `reduce` of their sum",
        fitting.check_statistics,
        _may_have_statistics,
    ),
)
"""All checks, in the order in which they run."""
