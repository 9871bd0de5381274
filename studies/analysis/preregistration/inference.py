"""The interval and the test of a study's analysis: what is asked for, else preregistered, else the default."""

from collections.abc import Mapping
from typing import Any

from correlation.comparison.methods import TESTS
from correlation.defaults import ALPHA
from correlation.protocols.defaults import Inference, choose_inference
from correlation.protocols.recipe import Protocol
from studies.design.preregistration.deviations import load_plan
from studies.models import Study


def choose_study_inference(
    study: Study,
    protocol: Protocol,
    *,
    n_metrics: int,
    method: str = "",
    resampled: tuple[str, ...] = (),
    test: str = "",
    correction: str = "",
    resamples: int | None = None,
    plan: Mapping[str, Any] | None = None,
) -> Inference:
    """Return the interval and the test of an analysis of this study.

    Pages, reports, commands and the API all take them from here.

    Args:
        study: The study of the judgments. The test, its correction and the level of its preregistration come before
            the defaults, provided that the test applies to the protocol.
        protocol: The protocol of the analysis.
        n_metrics: The number of metrics.
        method: As for `choose_inference`, as all that follows; empty if it is not asked for.
        resampled: Likewise.
        test: Likewise.
        correction: Likewise.
        resamples: Likewise; None if it is not asked for.
        plan: The preregistered plan, empty without one, if the caller has read it.

    Raises:
        CorrelationInputError, UnknownNameError: The options contradict each other.
    """
    plan = load_plan(study) or {} if plan is None else plan
    planned = plan.get("test", "")
    return choose_inference(
        protocol,
        n_metrics=n_metrics,
        method=method,
        resampled=resampled,
        test=test or (planned if n_metrics > 1 and _applies(planned, protocol) else ""),
        correction=correction or plan.get("correction", ""),
        resamples=resamples,
        alpha=plan.get("alpha", ALPHA),
    )


def _applies(test: str, protocol: Protocol) -> bool:
    """Return whether a test applies to all measures of a protocol."""
    if test == "williams":
        return all(each.coefficient == "pearson" and each.level != "group" for each in protocol.measures)
    if test == "perm-system":
        return not protocol.is_pairwise
    return test in TESTS
