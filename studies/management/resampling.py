"""Common arguments of commands that resample: units, number of resamples, and seed."""

import sys
from argparse import ArgumentTypeError
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from tqdm import tqdm

from correlation.comparison.methods import TESTS
from correlation.comparison.multiple import CORRECTIONS
from correlation.defaults import RESAMPLES
from correlation.protocols.defaults import NONE, Inference
from correlation.resampling.counts import AXES
from correlation.resampling.intervals import INTERVALS
from studies.analysis.correlations import StudyObservations
from studies.analysis.preregistration.inference import choose_study_inference
from studies.management.printing.results import split_names

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
    parser.add_argument(
        "--ci", default="", metavar="A,B", help=f"units to resample: {', '.join(AXES)} (default: images or systems)"
    )
    parser.add_argument(
        "--method",
        choices=(*INTERVALS, NONE),
        metavar="NAME",
        help=f"{', '.join(INTERVALS)} or {NONE} (default: percentile, over systems jackknife)",
    )
    add_resampling_arguments(parser, has_tests=True)


def add_report_arguments(parser: CommandParser) -> None:
    """Add the arguments for a report and its file."""
    add_interval_arguments(parser)
    add_test_arguments(parser)
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help="also write a report: .md, .tex, .json, .csv or a figure"
    )


def add_test_arguments(parser: CommandParser, *, may_be_none: bool = True) -> None:
    """Add the arguments for tests of differences between metrics."""
    names = (*TESTS, NONE) if may_be_none else tuple(TESTS)
    told = "default: the preregistered one, else perm-input, over systems perm-system"
    parser.add_argument("--test", choices=names, metavar="NAME", help=f"{', '.join(names)} ({told})")
    parser.add_argument(
        "--correction",
        choices=CORRECTIONS,
        metavar="NAME",
        help=f"{', '.join(CORRECTIONS)} (default: the preregistered one, else holm)",
    )


def read_inference(chosen: Mapping[str, Any], gathered: StudyObservations) -> Inference:
    """Return the interval and the test that the arguments ask for, with the defaults for what they leave open."""
    return choose_study_inference(
        gathered.study,
        gathered.protocol,
        n_metrics=len(gathered.metrics),
        method=chosen["method"] or "",
        resampled=tuple(split_names(chosen["ci"])),
        test=chosen["test"] or "",
        correction=chosen["correction"] or "",
        resamples=chosen["resamples"],
    )


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
