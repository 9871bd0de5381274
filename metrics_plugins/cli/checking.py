"""`check`: run the conformance checks on one metric."""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tqdm import tqdm

from metrics_plugins.cli.errors import UsageError
from metrics_plugins.cli.output import add_json_option, indent_lines
from metrics_plugins.cli.plugins import add_plugin_option, load_plugins
from metrics_plugins.runtime.checks import CheckCase, CheckResult, advise, make_cases
from metrics_plugins.runtime.failures import ToldOnce

CHECK_FAILED_EXIT: Final = 1
_MOST_LATE: Final = 3
"""The remaining checks are not run after this many have taken too long."""


def add_check(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("metric", metavar="ID", nargs="?", default="", help="a metric's id, as `list` prints it")
    parser.add_argument(
        "--seconds",
        type=float,
        default=300.0,
        metavar="S",
        help="the longest time of one check, which fails after it; 0: any time (default: %(default)g)",
    )
    add_json_option(parser)
    add_plugin_option(parser)
    parser.set_defaults(kept="the checks that are printed were complete")
    parser.set_defaults(
        command=lambda options: check(
            options.metric, plugins=options.plugin, seconds=options.seconds, as_json=options.json
        )
    )


def check(metric_id: str = "", *, plugins: Sequence[Path] = (), seconds: float = 0.0, as_json: bool = False) -> int:
    """Print a line for each check as soon as it is done, and each advice; return 0 if all checks pass, else 1.

    The message of a failure that an earlier check has printed is replaced by the name of that check.

    Args:
        metric_id: May be "" if the plugin files have only one metric.
        plugins: Plugin files that are not installed.
        seconds: The longest time of one check; 0: any time.
        as_json: Print one JSON object at the end instead of the lines.

    Raises:
        UsageError: No metric is named, and the plugin files do not have exactly one; or `seconds` is negative.
        UnknownMetric: The id is unknown.
        PluginError: A plugin file is not valid.
        MissingResource: A resource that the metric needs is not installed.
    """
    if not seconds >= 0:
        raise UsageError(f"--seconds must be at least 0, got {seconds:g}")
    registry = load_plugins(plugins)
    metric_id = metric_id or _find_only(plugins, found=[each.info.id for each in registry if each.is_single_file])
    cases = make_cases(metric_id, registry=registry)
    results: list[CheckResult] = []
    told = ToldOnce()
    with tqdm(total=len(cases), file=sys.stderr, disable=None, unit="check", leave=False) as progress:
        for case in cases:
            progress.set_description(case.check.name)
            results.append(_run_case(case, seconds=seconds, n_late=sum(each.is_late for each in results)))
            if not as_json:
                progress.write(_format_line(results[-1], told=told), file=sys.stdout)
                sys.stdout.flush()
            progress.update()
    n_passed = sum(each.passed for each in results)
    advice = advise(registry.get(metric_id).info)
    if as_json:
        sys.stdout.write(_format_json(results, metric=metric_id, advice=advice))
    else:
        sys.stdout.writelines(f"warning {each}\n" for each in advice)
        sys.stdout.write(f"{n_passed} of {len(cases)} checks passed\n")
    return 0 if n_passed == len(cases) else CHECK_FAILED_EXIT


def _run_case(case: CheckCase, *, seconds: float, n_late: int) -> CheckResult:
    if n_late < _MOST_LATE:
        return case.run(seconds=seconds)
    return CheckResult(
        metric=case.metric_class.info.id,
        check=case.check.name,
        clause=case.check.clause,
        passed=False,
        message=f"not run, since {_MOST_LATE} checks took too long",
    )


def _format_line(result: CheckResult, *, told: ToldOnce) -> str:
    if result.passed:
        return str(result)
    message = indent_lines(told.shorten(result.message, check=result.check))
    return f"FAILED  {result.check}: {message}"


def _format_json(results: Sequence[CheckResult], *, metric: str, advice: Sequence[str]) -> str:
    found = {
        "metric": metric,
        "passed": all(each.passed for each in results),
        "checks": [
            {"check": each.check, "clause": each.clause, "passed": each.passed, "message": each.message}
            for each in results
        ],
        "warnings": list(advice),
    }
    return json.dumps(found) + "\n"


def _find_only(plugins: Sequence[Path], *, found: Sequence[str]) -> str:
    if not plugins:
        raise UsageError("name the metric to check, as `list` prints it, or pass --plugin FILE")
    if len(found) != 1:
        raise UsageError(f"name the metric to check: the plugins have {', '.join(found) or 'none'}")
    return found[0]
