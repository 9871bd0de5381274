"""What commands that resample have in common: what is resampled, how often, and from which seed."""

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
from correlation.resampling.counts import AXES
from correlation.resampling.intervals import INTERVALS, IntervalRequest
from studies.management.printing.results import split_names

RESAMPLES = 1000
SAME_BYTES = "how many may resample; the result is the same byte for byte (default: 1)"


def add_resampling_arguments(parser: CommandParser, *, has_tests: bool = False) -> None:
    """Add how often is resampled, and the seed that fixes every draw; and, where there are tests, with how many
    processes."""
    if has_tests:
        more = f"default: {RESAMPLES}; for tests so many more that their correction over all pairs can be met"
        parser.add_argument("--resamples", type=int, metavar="N", help=more)
        parser.add_argument("--processes", type=_read_count, default=1, metavar="N", help=SAME_BYTES)
    else:
        parser.add_argument("--resamples", type=int, default=RESAMPLES, metavar="N", help="default: %(default)s")
    parser.add_argument("--seed", type=read_seed, default=0, metavar="S", help="same seed, same numbers (default: 0)")


def add_interval_arguments(parser: CommandParser) -> None:
    """Add what an interval is made from."""
    parser.add_argument("--ci", default="", metavar="A,B", help=f"resample these together: {', '.join(AXES)}")
    parser.add_argument(
        "--method", choices=INTERVALS, metavar="NAME", help=f"{', '.join(INTERVALS)} (default: percentile)"
    )
    add_resampling_arguments(parser, has_tests=True)


def add_report_arguments(parser: CommandParser) -> None:
    """Add all that makes a report, and its file."""
    add_interval_arguments(parser)
    add_test_arguments(parser, default=None)
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help="also write a report: .md, .tex, .json, .csv or a figure"
    )


def add_test_arguments(parser: CommandParser, *, default: str | None) -> None:
    """Add how differences between metrics are tested."""
    parser.add_argument("--test", choices=TESTS, default=default, metavar="NAME", help=", ".join(TESTS))
    parser.add_argument(
        "--correction", choices=CORRECTIONS, default="holm", metavar="NAME", help=", ".join(CORRECTIONS)
    )


def read_comparison(chosen: Mapping[str, Any], *, n_metrics: int) -> ComparisonRequest | None:
    """Return the test that the arguments ask for; a bootstrap resamples images unless told otherwise.

    Where it is not said how often to resample, it is as often as the pairs of `n_metrics` need. Where a command makes
    intervals too, `--ci` may be for these alone.
    """
    if not chosen["test"]:
        return None
    axes = tuple(split_names(chosen["ci"])) or (("images",) if chosen["test"] == "bootstrap" else ())
    if "method" in chosen and chosen["test"] != "bootstrap":
        axes = ()
    resamples = chosen["resamples"] if chosen["resamples"] is not None else choose_resamples(comb(n_metrics, 2))
    return ComparisonRequest(chosen["test"], axes, n_resamples=resamples, correction=chosen["correction"])


def read_interval(chosen: Mapping[str, Any]) -> IntervalRequest | None:
    """Return the interval that the arguments ask for; `fisher` resamples nothing and so needs no `--ci`."""
    axes = tuple(split_names(chosen["ci"]))
    if not axes and not chosen["method"]:
        return None
    resamples = RESAMPLES if chosen["resamples"] is None else chosen["resamples"]
    return IntervalRequest(chosen["method"] or "percentile", axes, n_resamples=resamples)


def show_progress(steps: Any, *, total: int, label: str) -> Any:
    """Track steps by a bar on a terminal, and by nothing elsewhere."""
    return tqdm(steps, desc=label, total=total, leave=False, disable=not sys.stderr.isatty())


@contextmanager
def watch_steps() -> Iterator[Callable[[str, int, int], None]]:
    """Show named steps as a bar on a terminal, and nothing elsewhere."""
    with tqdm(leave=False, disable=not sys.stderr.isatty()) as bar:

        def watch(what: str, done: int, total: int) -> None:
            bar.total = total
            bar.set_description(what, refresh=False)
            bar.update(done - bar.n)

        yield watch


def _read_count(text: str) -> int:
    if not text.isdecimal() or int(text) == 0:
        raise ArgumentTypeError(f"a number of processes is a whole number from 1, got {text!r}")
    return int(text)


def read_seed(text: str) -> int:
    """Return a seed, for argparse."""
    if not text.isdecimal():
        raise ArgumentTypeError(f"a seed is a whole number from 0, got {text!r}")
    return int(text)
