"""`check`: run the conformance checks on one metric."""

import sys

from metrics_plugins.runtime import load_registry
from metrics_plugins.runtime.checks import advise, check_metric

CHECK_FAILED_EXIT = 1


def check(metric_id: str) -> int:
    """Print a line for each check and each advice; return 0 if all checks pass, else 1.

    Raises:
        UnknownMetric: The id is unknown.
        MissingResource: A resource that the metric needs is not installed.
    """
    registry = load_registry()
    results = check_metric(metric_id, registry=registry)
    for result in results:
        sys.stdout.write(" ".join(str(result).split("\n")) + "\n")
    for advice in advise(registry.get(metric_id).info):
        sys.stdout.write(f"warning {advice}\n")
    n_passed = sum(result.passed for result in results)
    sys.stdout.write(f"{n_passed} of {len(results)} checks passed\n")
    return 0 if n_passed == len(results) else CHECK_FAILED_EXIT
