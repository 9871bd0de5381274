"""Common arguments of commands that resample: units, number of resamples, and seed."""

import sys
from argparse import ArgumentTypeError
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from math import comb
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from tqdm import tqdm

from correlation.comparison.methods import TESTS, ComparisonRequest, choose_resamples
from correlation.comparison.multiple import CORRECTIONS
from correlation.protocols.named import Protocol
from correlation.resampling.counts import AXES
from correlation.resampling.intervals import INTERVALS, IntervalRequest
from studies.management.printing.results import split_names

RESAMPLES = 1000
SAME_BYTES = "number of processes for resampling; the result does not depend on it (default: 1)"


def add_resampling_arguments(parser: CommandParser, *, has_tests: bool = False) -> None:
    """Add the number of resamples and the seed of all draws; for commands with tests, also the number of processes."""
    if has_tests:
        more = f"default: {RESAMPLES}; for tests, as many as the correction for multiple comparisons needs"
        parser.add_argument("--resamples", type=int, metavar="N", help=more)
        parser.add_argument("--processes", type=_read_count, default=1, metavar="N", help=SAME_BYTES)
    else:
        parser.add_argument("--resamples", type=int, default=RESAMPLES, metavar="N", help="default: %(default)s")
    parser.add_argument(
        "--seed", type=read_seed, default=0, metavar="S", help="the same seed gives the same numbers (default: 0)"
    )


def add_interval_arguments(parser: CommandParser) -> None:
    """Add the arguments for intervals."""
    parser.add_argument("--ci", default="", metavar="A,B", help=f"units to resample: {', '.join(AXES)}")
    parser.add_argument(
        "--method", choices=INTERVALS, metavar="NAME", help=f"{', '.join(INTERVALS)} (default: percentile)"
    )
    add_resampling_arguments(parser, has_tests=True)


def add_report_arguments(parser: CommandParser) -> None:
    """Add the arguments for a report and its file."""
    add_interval_arguments(parser)
    add_test_arguments(parser, default=None)
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help="also write a report: .md, .tex, .json, .csv or a figure"
    )


def add_test_arguments(parser: CommandParser, *, default: str | None) -> None:
    """Add the arguments for tests of differences between metrics."""
    parser.add_argument("--test", choices=TESTS, default=default, metavar="NAME", help=", ".join(TESTS))
    parser.add_argument(
        "--correction", choices=CORRECTIONS, default="holm", metavar="NAME", help=", ".join(CORRECTIONS)
    )


def read_comparison(chosen: Mapping[str, Any], *, n_metrics: int) -> ComparisonRequest | None:
    """Return the requested test; a bootstrap resamples images by default.

    By default there are as many resamples as the pairs of `n_metrics` require. In commands that also compute intervals,
    `--ci` may be for the intervals only.
    """
    if not chosen["test"]:
        return None
    axes = tuple(split_names(chosen["ci"])) or (("images",) if chosen["test"] == "bootstrap" else ())
    if "method" in chosen and chosen["test"] != "bootstrap":
        axes = ()
    resamples = chosen["resamples"] if chosen["resamples"] is not None else choose_resamples(comb(n_metrics, 2))
    return ComparisonRequest(chosen["test"], axes, n_resamples=resamples, correction=chosen["correction"])


def read_interval(chosen: Mapping[str, Any], *, protocol: Protocol | None = None) -> IntervalRequest | None:
    """Return the interval that the arguments ask for; `fisher` resamples nothing and so needs no `--ci`.

    Where nothing is asked for and all numbers of a protocol are over systems, it is the jackknife over systems: a
    correlation of a dozen systems says little without an interval.
    """
    axes = tuple(split_names(chosen["ci"]))
    if not axes and not chosen["method"]:
        is_of_systems = protocol is not None and all(each.level == "system" for each in protocol.measures)
        return IntervalRequest("jackknife", ("systems",)) if is_of_systems else None
    resamples = RESAMPLES if chosen["resamples"] is None else chosen["resamples"]
    return IntervalRequest(chosen["method"] or "percentile", axes, n_resamples=resamples)


def show_progress(steps: Any, *, total: int, label: str) -> Any:
    """Show the progress of steps as a bar on a terminal, otherwise nothing."""
    return tqdm(steps, desc=label, total=total, leave=False, disable=not sys.stderr.isatty())


@contextmanager
def watch_steps() -> Iterator[Callable[[str, int, int], None]]:
    """Show the progress of named steps as a bar on a terminal, otherwise nothing."""
    with tqdm(leave=False, disable=not sys.stderr.isatty()) as bar:

        def watch(what: str, done: int, total: int) -> None:
            bar.total = total
            bar.set_description(what, refresh=False)
            bar.update(done - bar.n)

        yield watch


def _read_count(text: str) -> int:
    if not text.isdecimal() or int(text) == 0:
        raise ArgumentTypeError(f"the number of processes must be a whole number from 1, got {text!r}")
    return int(text)


def read_seed(text: str) -> int:
    """Return a seed; the type of an argparse argument."""
    if not text.isdecimal():
        raise ArgumentTypeError(f"the seed must be a whole number from 0, got {text!r}")
    return int(text)
