"""Conformance checks: one named check for each clause of the metric contract."""

from metrics_plugins.runtime.checks.advice import advise
from metrics_plugins.runtime.checks.checking import (
    CheckCase,
    CheckResult,
    check_metric,
    make_cases,
    parametrize_with_checks,
)
from metrics_plugins.runtime.checks.table import CHECKS, Check

__all__ = [
    "CHECKS",
    "Check",
    "CheckCase",
    "CheckResult",
    "advise",
    "check_metric",
    "make_cases",
    "parametrize_with_checks",
]
