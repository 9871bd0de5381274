"""`score --output`: score a Parquet table that may be larger than memory into a folder of Parquet files."""

import argparse
import json
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from metrics_plugins.cli.arguments.building import ask_metrics, split_ids
from metrics_plugins.cli.arguments.counts import read_count
from metrics_plugins.cli.arguments.executors import add_executor_arguments, make_backend
from metrics_plugins.cli.errors import UsageError
from metrics_plugins.cli.plugins import load_plugins
from metrics_plugins.cli.progress import show_progress
from metrics_plugins.readers import read_corpus
from metrics_plugins.text.terminal import align_columns

if TYPE_CHECKING:
    from metrics_plugins.large_tables.scoring import ScoredTable

UNDEFINED_EXIT: Final = 1
_GIGABYTE: Final = 1e9
_ONLY_HERE: Final = ("workers", "executor", "rows_per_partition")
_ONLY_ELSEWHERE: Final = ("out", "judged", "worlds")


def add_table_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of tables that are larger than memory."""
    group = parser.add_argument_group(
        "tables larger than memory",
        "With --output, --candidates and --references are Parquet files, or folders or URLs of such files, and the "
        "scores are written to a folder in parts. The same command goes on after an interruption.",
    )
    group.add_argument("--output", metavar="FOLDER", help="write Parquet files and a manifest here; a path or URL")
    add_executor_arguments(group)
    group.add_argument("--rows-per-partition", type=read_count, metavar="N", help="rows of a file (default: 200000)")


def check_table_arguments(options: argparse.Namespace) -> None:
    """Raise `UsageError` if arguments do not go together with or without `--output`."""
    forbidden = _ONLY_HERE if options.output is None else _ONLY_ELSEWHERE
    given = next((name for name in forbidden if getattr(options, name) is not None), None)
    if given is not None:
        needs = "needs" if options.output is None else "cannot be combined with"
        raise UsageError(f"--{given.replace('_', '-')} {needs} --output")


def score_to_folder(options: argparse.Namespace) -> int:
    """Score a table, and print the score of all rows; return 0, or 1 if all scores of a metric are undefined.

    Raises:
        UsageError: An argument is invalid.
        InputError: A table is invalid, or the folder holds something else.
        MetricError: A metric is unknown, cannot be built, fails, or needs all rows at once.
        BrokenExecutor: Processes or a cluster ended; complete partitions are kept.
    """
    from metrics_plugins.large_tables.scoring import ROWS_PER_PARTITION, TableRequest, score_table
    from metrics_plugins.large_tables.storage import find_storage

    registry = load_plugins(options.plugin)
    request = TableRequest(
        candidates=options.candidates,
        references=options.references,
        metrics=tuple(ask_metrics(registry, split_ids(options.metrics), params=options.param)),
        output=find_storage(options.output),
        rows_per_partition=options.rows_per_partition or ROWS_PER_PARTITION,
        corpus=read_corpus(options.corpus) if options.corpus else None,
        seed=options.seed,
    )
    scored = score_table(request, make_backend(registry, options), track=show_progress)
    sys.stdout.write(_format_json(scored) if options.json else _format_table(scored))
    sys.stderr.writelines(f"{line}\n" for line in _list_notes(scored, output=options.output))
    if options.signatures:
        sys.stderr.writelines(f"{signature}\n" for signature in scored.manifest.signatures.values())
    undefined = [name for name in scored.manifest.signatures if scored.manifest.count(name)[0] == scored.manifest.rows]
    sys.stderr.writelines(f"warning: every score of metric {name!r} is undefined (NaN)\n" for name in undefined)
    return UNDEFINED_EXIT if undefined else 0


def _format_table(scored: "ScoredTable") -> str:
    manifest = scored.manifest
    counted = [
        (name, _print_value(manifest.scores, name), str(manifest.rows), str(manifest.count(name)[0]))
        for name in manifest.signatures
    ]
    rows = [("METRIC", "VALUE", "CAPTIONS", "MISSING"), *counted]
    return "".join(f"{line}\n" for line in align_columns(rows))


def _format_json(scored: "ScoredTable") -> str:
    manifest = scored.manifest
    rows = [
        {
            "metric": name,
            "value": manifest.scores[name],
            "captions": manifest.rows,
            "missing": manifest.count(name)[0],
        }
        for name in manifest.signatures
    ]
    return json.dumps({"rows": rows, "signatures": dict(manifest.signatures)}) + "\n"


def _print_value(scores: Mapping[str, float | None], name: str) -> str:
    value = scores[name]
    return "" if value is None else f"{value:.4f}"


def _list_notes(scored: "ScoredTable", *, output: str) -> list[str]:
    manifest = scored.manifest
    lines = [f"note: {name} had changed and was computed again" for name in scored.damaged]
    written = len(manifest.partitions) - scored.n_kept
    lines.append(f"{output}: {written:,} partitions written, {scored.n_kept:,} kept")
    peaks = f"peak memory: {scored.peak / _GIGABYTE:.2f} GB in this process"
    if scored.worker_peak:
        peaks += f", {scored.worker_peak / _GIGABYTE:.2f} GB in the largest that scored"
    return [*lines, peaks]
