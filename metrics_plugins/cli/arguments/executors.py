"""The arguments that choose where chunks of rows are scored."""

import argparse
from typing import Final

from execution.factory import EXECUTORS, choose_kind
from metrics_plugins.cli.arguments.counts import read_count
from metrics_plugins.runtime import Registry
from metrics_plugins.runtime.sessions import TrustedBackend

INLINE: Final = "inline"
PROCESSES: Final = "processes"


def add_executor_arguments(parser: argparse._ActionsContainer) -> None:
    """Add the number of processes and the kind of executor."""
    parser.add_argument("--workers", type=read_count, metavar="N", help="chunks scored at a time (default: 1)")
    parser.add_argument(
        "--executor",
        choices=sorted(EXECUTORS),
        help="where they are scored: in this process (inline), in N processes, or by the workers of a Dask cluster "
        "(default: ACCORDANCE_EXECUTOR, or processes)",
    )


def make_backend(registry: Registry, options: argparse.Namespace) -> TrustedBackend:
    """Return what scores as the arguments say.

    Raises:
        UnknownExecutor: `ACCORDANCE_EXECUTOR` names no kind of executor.
    """
    workers = options.workers or 1
    kind = options.executor or choose_kind()
    # One process besides this one would score no faster.
    kind = INLINE if kind == PROCESSES and workers == 1 else kind
    return TrustedBackend(registry=registry, kind=kind, device=options.device, workers=workers)
