"""Run the conformance checks on a metric, together or as one test each."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from metrics_plugins.api.batches.batch import Batch
from metrics_plugins.api.errors import CheckFailed, MetricError, MissingResource
from metrics_plugins.runtime.checks.sample import Sample, open_sample
from metrics_plugins.runtime.checks.subject import Subject
from metrics_plugins.runtime.checks.table import CHECKS, Check
from metrics_plugins.runtime.checks.time_limit import OutOfTime, limit_time
from metrics_plugins.runtime.failures import RowNote, add_places, explain_failure, list_own_lines
from metrics_plugins.runtime.loading import load_registry
from metrics_plugins.runtime.printing import printing_to_stderr
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
        message: "" if it does, else what was expected and what came; further lines name places in the plugin's files
            and the row.
        is_late: Whether the check was stopped at its time limit.
    """

    metric: str
    check: str
    clause: str
    passed: bool
    message: str
    is_late: bool = False

    def __str__(self) -> str:
        return f"{'ok    ' if self.passed else 'FAILED'}  {self.check}: {self.message or self.clause}"


def check_metric(
    metric_class_or_id: MetricClass | str, *, registry: Registry | None = None, batch: Batch | None = None
) -> tuple[CheckResult, ...]:
    """Run every check that applies to a metric; the arguments and errors are those of `make_cases`."""
    return tuple(case.run() for case in make_cases(metric_class_or_id, registry=registry, batch=batch))


def make_cases(
    metric_class_or_id: MetricClass | str, *, registry: Registry | None = None, batch: Batch | None = None
) -> "tuple[CheckCase, ...]":
    """Return every check that applies to a metric, to be run one after the other.

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
    return tuple(CheckCase(check, metric_class, registry, batch) for check in CHECKS if check.applies(metric_class))


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

    def run(self, *, seconds: float = 0.0) -> CheckResult:
        """Return what the check finds instead of raising it; a check that takes longer than `seconds` (0: any time)
        has failed."""
        message, is_late = "", False
        try:
            with limit_time(seconds):
                self._run_check()
        except CheckFailed as error:
            message = str(error)
        except OutOfTime as error:
            is_late = True
            reason = f"expected the check to complete; it took longer than {seconds:g} s"
            message = add_places(reason, list_own_lines(error, module=self._module))
        return CheckResult(
            metric=self.metric_class.info.id,
            check=self.check.name,
            clause=self.check.clause,
            passed=not message,
            message=message,
            is_late=is_late,
        )

    @property
    def _module(self) -> str:
        return self.metric_class.__module__

    @printing_to_stderr
    def _run_check(self) -> None:
        with _open_subject(self.metric_class, registry=self.registry, batch=self.batch) as subject:
            try:
                self.check.run(subject)
            except CheckFailed:
                raise
            except MetricError as error:
                raise CheckFailed(self._explain(error)) from error
            except Exception as error:
                raise CheckFailed(f"expected no exception; got {self._explain(error)}") from error

    def _explain(self, error: Exception) -> str:
        notes = [f"  {note}" for note in getattr(error, "__notes__", ()) if isinstance(note, RowNote)]
        return "\n".join([explain_failure(error, module=self._module), *notes])


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
