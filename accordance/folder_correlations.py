"""`accordance correlate --scores FOLDER`: how well metrics agree with judgments in a table."""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from correlation.errors import CorrelationInputError, UnknownNameError
from correlation.protocols.evaluate_metrics import evaluate_metrics
from correlation.protocols.inputs import RatedItems
from correlation.protocols.reading import read_protocol
from correlation.protocols.recipe import Protocol
from correlation.protocols.row import ResultRow
from correlation.resampling.intervals import IntervalRequest
from metrics_plugins.cli.arguments.building import split_ids
from metrics_plugins.cli.errors import UsageError
from metrics_plugins.readers import InputError
from metrics_plugins.text.terminal import align_columns

if TYPE_CHECKING:
    from accordance.folder_scores import JudgedScores

_USAGE_EXIT = 2
_REFERENCES = ("all", "set")


def main(arguments: Sequence[str]) -> int:
    """Print the agreement of each metric; return 0, or 2 if an argument or a file is invalid."""
    options = _make_parser().parse_args(arguments)
    try:
        sys.stdout.write(_correlate(options))
    except (InputError, UsageError, CorrelationInputError, UnknownNameError) as error:
        sys.stderr.write(f"error: {' '.join(str(error).split())}\n")
        return _USAGE_EXIT
    return 0


def _correlate(options: argparse.Namespace) -> str:
    from accordance.folder_scores import join_judgments

    protocol = read_protocol(options.protocol, options=options.option)
    _check_protocol(protocol)
    interval = _read_interval(options)
    joined = join_judgments(options.scores, options.judgments)
    metrics = _choose_metrics(joined, options.metrics)
    if interval and "raters" in interval.resampled and not joined.has_raters:
        raise UsageError(f"--ci raters needs the column `rater` in {options.judgments}")
    first = RatedItems.build(joined.judgments, scores=joined.scores[metrics[0]], in_references=joined.in_references)
    data = {name: first.with_scores(joined.scores[name]) for name in metrics}
    evaluated = evaluate_metrics(protocol, data, interval=interval, seed=options.seed)
    rows = [row for _, found in evaluated for row in found]
    signatures = {name: _sign(joined.manifest.signatures[name], protocol, interval, options.seed) for name in metrics}
    sys.stderr.writelines(f"note: {note}\n" for note in _list_notes(joined, protocol, rows))
    return _format_json(rows, signatures) if options.json else _format_text(rows, protocol, signatures)


def _check_protocol(protocol: Protocol) -> None:
    """Raise `UsageError` if a table of scores of single captions does not have what a protocol needs."""
    if protocol.is_pairwise:
        raise UsageError(
            f"protocol {protocol.reference} is of pairs of captions; a folder of scores is joined with judgments of "
            "single captions: import the judgments as a study"
        )
    if protocol.references.kind not in _REFERENCES:
        raise UsageError(
            f"protocol {protocol.reference} needs scores with references by the rule {protocol.references.signature}; "
            "those of a folder are with all references of an image: import the data as a study, or choose "
            "--option references=all"
        )


def _read_interval(options: argparse.Namespace) -> IntervalRequest | None:
    if options.ci is None:
        return None
    if options.resamples < 1:
        raise UsageError(f"--resamples must be at least 1, got {options.resamples}")
    return IntervalRequest("percentile", tuple(options.ci.split(",")), options.resamples)


def _choose_metrics(joined: "JudgedScores", asked: str | None) -> list[str]:
    names = list(joined.scores)
    if asked is None:
        return names
    wanted = split_ids(asked)
    unknown = next((name for name in wanted if name not in names), None)
    if unknown is not None:
        raise UsageError(f"--metrics: the folder has no scores by {unknown!r} (it has: {', '.join(names)})")
    return wanted


def _sign(metric: str, protocol: Protocol, interval: IntervalRequest | None, seed: int) -> str:
    parts = [metric, protocol.signature]
    return " / ".join([*parts, f"{interval.signature}|seed:{seed}"] if interval else parts)


def _list_notes(joined: "JudgedScores", protocol: Protocol, rows: Sequence[ResultRow]) -> list[str]:
    notes = [f"joined by {' and '.join(joined.joined_by)}"]
    if joined.n_unknown:
        n_items = len(joined.judgments.items)
        notes.append(f"{joined.n_unknown:,} of {n_items:,} judged captions are not in the folder and count as missing")
    if protocol.references.kind == "set":
        notes.append(f"{protocol.reference}: the references of the table count as the set {protocol.references.name}")
    for row in rows:
        if row.reason:
            where = f"{row.coefficient} at level {row.level}" + (f", {row.category}" if row.category else "")
            notes.append(f"{row.metric}: {where} is undefined, {row.reason}")
    return notes


def _format_json(rows: Sequence[ResultRow], signatures: Mapping[str, str]) -> str:
    shown = ("metric", "coefficient", "level", "category", "value", "low", "high", "n", "n_missing", "p_value")
    records = [{name: asdict(row)[name] for name in shown} | {"signature": signatures[row.metric]} for row in rows]
    return json.dumps(records, indent=1, allow_nan=False) + "\n"


def _format_text(rows: Sequence[ResultRow], protocol: Protocol, signatures: Mapping[str, str]) -> str:
    header = ("METRIC", "COEFFICIENT", "LEVEL", "CATEGORY", "X100", "LOW", "HIGH", "N", "MISSING")
    cells = [
        (
            row.metric,
            row.coefficient,
            row.level,
            row.category or "-",
            *(_print_value(value) for value in (row.value, row.low, row.high)),
            str(row.n),
            str(row.n_missing),
        )
        for row in rows
    ]
    return "\n".join([protocol.reference, "", *align_columns([header, *cells]), "", *signatures.values()]) + "\n"


def _print_value(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.2f}"


def _make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="accordance correlate", description="How well the metrics of a folder of scores agree with judgments."
    )
    parser.add_argument("--scores", required=True, metavar="FOLDER", help="what `score --output` wrote; a path or URL")
    parser.add_argument(
        "--judgments",
        required=True,
        metavar="FILE",
        help="CSV or Parquet with `judgment` and `key`, `image_id` and `system`, or `image_id` and `caption`; a path "
        "or URL. It may have the columns `rater`, `criterion` and `category`",
    )
    parser.add_argument("--protocol", required=True, metavar="NAME", help="a named protocol, or custom")
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="OPTION=VALUE",
        help="change the protocol: rows, references, ratings, measures, ties, categories, criteria",
    )
    parser.add_argument("--metrics", metavar="A,B", help="metrics of the folder (default: all)")
    parser.add_argument("--ci", metavar="AXES", help="bootstrap intervals over images, raters, or images,raters")
    parser.add_argument("--resamples", type=int, default=1000, metavar="N", help="resamples (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the resamples (default: %(default)s)")
    parser.add_argument("--json", action="store_true", help="print one JSON list of rows")
    return parser
