"""Run the conformance checks on a metric, together or as one test each."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from metrics_plugins.api.batch import Batch
from metrics_plugins.api.errors import CheckFailed, MetricError, MissingResource
from metrics_plugins.runtime.checks.sample import Sample, open_sample
from metrics_plugins.runtime.checks.subject import Subject
from metrics_plugins.runtime.checks.table import CHECKS, Check
from metrics_plugins.runtime.loading import load_registry
from metrics_plugins.runtime.registry import Context, MetricClass, Registry

if TYPE_CHECKING:
    import pytest


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What one check found.

    Attributes:
        metric: The metric's id.
        check: The check's name.
        clause: What must hold.
        passed: Whether it does.
        message: "" if it does, else what was expected and what came.
    """

    metric: str
    check: str
    clause: str
    passed: bool
    message: str

    def __str__(self) -> str:
        return f"{'ok    ' if self.passed else 'FAILED'}  {self.check}: {self.message or self.clause}"


def check_metric(
    metric_class_or_id: MetricClass | str, *, registry: Registry | None = None, batch: Batch | None = None
) -> tuple[CheckResult, ...]:
    """Run every check that applies to a metric.

    Args:
        metric_class_or_id: A class, or the id of a metric in the registry.
        registry: Where ids are looked up, and where the metric finds tokenisers; `load_registry()` if None.
        batch: Rows to check with, at least four, half of them to fit on; the kit's own captions if None.

    Raises:
        UnknownMetric: No such id.
        MissingResource: What the metric computes with is not installed, so that there is nothing to check.
        ValueError: The metric reads worlds, which the kit cannot make up, and no `batch` was given; or too few rows.
    """
    registry = registry or load_registry()
    metric_class = _find_class(metric_class_or_id, registry=registry)
    _require_resources(metric_class, registry=registry)
    cases = [CheckCase(check, metric_class, registry, batch) for check in CHECKS if check.applies(metric_class)]
    return tuple(case.run() for case in cases)


def parametrize_with_checks(
    metrics: Iterable[MetricClass | str], *, registry: Registry | None = None, batch: Batch | None = None
) -> "pytest.MarkDecorator":
    """Decorate a test with one case per metric and check; it takes the argument `check` and calls it.

    ```python
    @parametrize_with_checks([MyMetric, "my-other-metric"])
    def test_contract(check):
        check()
    ```

    Args:
        metrics: Classes, or ids of metrics in the registry.
        registry: As for `check_metric`.
        batch: As for `check_metric`.
    """
    import pytest

    registry = registry or load_registry()
    classes = [_find_class(metric, registry=registry) for metric in metrics]
    cases = [
        pytest.param(CheckCase(check, metric_class, registry, batch), id=f"{metric_class.info.id}-{check.name}")
        for metric_class in classes
        for check in CHECKS
        if check.applies(metric_class)
    ]
    return pytest.mark.parametrize("check", cases)


@dataclass(frozen=True, slots=True, eq=False)
class CheckCase:
    """One check of one metric; calling it raises `CheckFailed` if the clause does not hold."""

    check: Check
    metric_class: MetricClass
    registry: Registry
    batch: Batch | None

    def __call__(self) -> None:
        try:
            self._run_check()
        except CheckFailed as error:
            name = f"metric {self.metric_class.info.id!r} fails {self.check.name} ({self.check.clause})"
            raise CheckFailed(f"{name}: {error}") from error

    def run(self) -> CheckResult:
        """Return what the check finds instead of raising it."""
        message = ""
        try:
            self._run_check()
        except CheckFailed as error:
            message = str(error)
        return CheckResult(
            metric=self.metric_class.info.id,
            check=self.check.name,
            clause=self.check.clause,
            passed=not message,
            message=message,
        )

    def _run_check(self) -> None:
        with _open_subject(self.metric_class, registry=self.registry, batch=self.batch) as subject:
            try:
                self.check.run(subject)
            except CheckFailed:
                raise
            except MetricError as error:
                raise CheckFailed(str(error)) from error
            except Exception as error:
                raise CheckFailed(f"expected no exception; got {type(error).__name__}: {error}") from error


def _find_class(metric: MetricClass | str, *, registry: Registry) -> MetricClass:
    return registry.get(metric).metric_class if isinstance(metric, str) else metric


def _require_resources(metric_class: MetricClass, *, registry: Registry) -> None:
    try:
        metric_class.build(Context(registry))
    except MissingResource:
        raise
    except Exception:  # whatever else is wrong, the checks find and name
        return


@contextmanager
def _open_subject(metric_class: MetricClass, *, registry: Registry, batch: Batch | None) -> Iterator[Subject]:
    registration = registry.metrics.get(metric_class.info.id)
    modules = {metric_class.__module__}
    if registration and registration.metric_class is metric_class:
        modules.add(registration.plugin_module)
    with _open_rows(metric_class, batch=batch) as sample:
        yield Subject(
            metric_class=metric_class,
            registry=registry,
            modules=tuple(sorted(modules)),
            sample=sample.take(range(1, len(sample), 2)),
            fit_sample=sample.take(range(0, len(sample), 2)),
        )


@contextmanager
def _open_rows(metric_class: MetricClass, *, batch: Batch | None) -> Iterator[Sample]:
    if batch is not None:
        if len(batch) < 4:
            raise ValueError(f"`batch` must have at least four rows, got {len(batch)}")
        yield Sample.from_batch(batch)
        return
    with open_sample(metric_class.info.inputs) as sample:
        yield sample
