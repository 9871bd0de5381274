"""`accordance score FILE... --table`: print the comparison of systems as a table or as JSON."""

import argparse
import json
import math
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from accordance.system_tables import SystemTable, compare_files
from metrics_plugins.api import MetricError
from metrics_plugins.cli.arguments.building import split_ids
from metrics_plugins.cli.errors import UsageError
from metrics_plugins.cli.output import indent_lines
from metrics_plugins.cli.plugins import add_plugin_option, find_plugin_files
from metrics_plugins.readers import InputError
from metrics_plugins.runtime.printing import keeping_stdout
from metrics_plugins.text.terminal import align_columns

_USAGE_EXIT = 2


@keeping_stdout()
def main(arguments: Sequence[str]) -> int:
    """Print the comparison; return 0, or 2 if an argument or a file is invalid."""
    options = _make_parser().parse_args(arguments)
    try:
        if options.resamples < 1:
            raise UsageError(f"--resamples must be at least 1, got {options.resamples}")
        table = compare_files(
            options.files,
            references=options.references,
            metrics=split_ids(options.metrics),
            n_resamples=options.resamples,
            device=options.device,
            seed=options.seed,
            plugins=find_plugin_files(options.plugin),
        )
    except (InputError, MetricError, UsageError) as error:
        sys.stderr.write(f"error: {indent_lines(str(error))}\n")
        return _USAGE_EXIT
    sys.stdout.write(format_json(table) if options.json else format_text(table))
    return 0


def format_json(table: SystemTable) -> str:
    """Return the table as one JSON object; undefined numbers are null."""
    return json.dumps(_drop_undefined(asdict(table)), indent=2) + "\n"


def format_text(table: SystemTable) -> str:
    """Return the table as aligned columns, followed by the tests and the signatures."""
    lines = align_columns(
        [
            ("SYSTEM", "METRIC", "VALUE", "LOW", "HIGH", "IMAGES", "CAPTIONS", "MISSING"),
            *(
                (
                    row.system,
                    row.metric,
                    *map(_print_number, (row.value, row.low, row.high)),
                    *map(str, (row.n_images, row.n_captions, row.n_missing)),
                )
                for row in table.rows
            ),
        ]
    )
    if table.differences:
        lines += ["", f"Paired permutation tests over images ({table.n_resamples} permutations, p corrected by Holm):"]
        lines += align_columns(
            [
                ("METRIC", "FIRST", "SECOND", "DIFFERENCE", "P", "P CORRECTED"),
                *(
                    (
                        each.metric,
                        each.first,
                        each.second,
                        *map(_print_number, (each.difference, each.p_value, each.p_adjusted)),
                    )
                    for each in table.differences
                ),
            ]
        )
    lines += ["", f"LOW and HIGH: 95 % bootstrap over images ({table.n_resamples} resamples, seed {table.seed})."]
    return "\n".join([*lines, *table.signatures.values()]) + "\n"


def _print_number(value: float) -> str:
    return "undefined" if math.isnan(value) else f"{value:.4f}"


def _drop_undefined(value: object) -> object:
    if isinstance(value, dict):
        return {name: _drop_undefined(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_drop_undefined(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="accordance score", description="Compare systems on the same images, with intervals and paired tests."
    )
    parser.add_argument(
        "files", nargs="+", type=Path, metavar="FILE", help="the captions of one system: COCO JSON, ..."
    )
    parser.add_argument("--table", action="store_true", required=True, help="compare systems")
    parser.add_argument("--references", type=Path, metavar="FILE", help="ground truth, in the same formats")
    parser.add_argument("--metrics", required=True, metavar="A,B", help="ids of metrics, separated by commas")
    parser.add_argument(
        "--resamples", type=int, default=1000, metavar="N", help="resamples and permutations (default: %(default)s)"
    )
    parser.add_argument("--device", default="cpu", help="where metrics with encoders compute (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the resamples (default: %(default)s)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    add_plugin_option(parser)
    return parser
