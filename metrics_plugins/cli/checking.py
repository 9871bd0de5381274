"""`check`: run the conformance checks on one metric."""

import sys

from metrics_plugins.runtime.checks import check_metric

CHECK_FAILED_EXIT = 1


def check(metric_id: str) -> int:
    """Print a line for each check; return 0 if all pass, else 1.

    Raises:
        UnknownMetric: The id is unknown.
        MissingResource: A resource that the metric needs is not installed.
    """
    results = check_metric(metric_id)
    for result in results:
        sys.stdout.write(" ".join(str(result).split("\n")) + "\n")
    n_passed = sum(result.passed for result in results)
    sys.stdout.write(f"{n_passed} of {len(results)} checks passed\n")
    return 0 if n_passed == len(results) else CHECK_FAILED_EXIT
