"""The truth probe as Markdown, JSON and a figure."""

from dataclasses import asdict

from captioning.probes.truth import Preference, TruthReport
from correlation.figures.rendering import render
from correlation.figures.shares import Share, draw_shares
from metrics_plugins.probes.tables import UNDEFINED, format_json, format_table


def print_truth(report: TruthReport) -> str:
    """Return Markdown: for each metric and kind of edit the accuracy with its interval, in percent."""
    kinds = [each.kind for each in report.metrics[0].preferences]
    counts = ", ".join(f"{each.kind} {each.n_pairs + each.n_missing:,}" for each in report.metrics[0].preferences)
    rows = [
        [each.metric, f"{100 * each.mean:.1f}", *(_print_preference(one) for one in each.preferences)]
        for each in report.metrics
    ]
    ties = [[each.metric, *(_print_ties(one) for one in each.preferences)] for each in report.metrics]
    return "\n".join(
        [
            f"Worlds: {report.n_worlds:,}, of {', '.join(report.sets)}. Pairs: {counts}.\n",
            "Share of pairs (%) in which the true caption scores better than the edited one, ties counting half, with "
            "95 % intervals; chance is 50.\n",
            format_table(["metric", "mean", *kinds], rows),
            "Share of ties (%):\n",
            format_table(["metric", *kinds], ties),
            "".join(f"- `{each.signature}`\n" for each in report.metrics),
        ]
    )


def format_truth(report: TruthReport) -> str:
    """Return JSON: the fields of `TruthReport`, with accuracies and intervals."""
    metrics = [
        asdict(each)
        | {
            "mean": each.mean,
            "preferences": [
                asdict(one) | {"accuracy": one.accuracy, "interval": one.interval} for one in each.preferences
            ],
        }
        for each in report.metrics
    ]
    return format_json(asdict(report) | {"metrics": metrics})


def draw_truth(report: TruthReport, *, file_format: str) -> bytes:
    """Return the figure as a file: metrics down, kinds of edits across, the accuracy in each cell."""
    cells = [
        Share(row=each.metric, column=one.kind, share=one.accuracy, interval=one.interval)
        for each in report.metrics
        for one in each.preferences
    ]
    lines = [
        "Pairs in which the true caption scores better than the edited one (%), ties counting half.",
        "Chance is 50.",
    ]
    return render(draw_shares(cells, title="Which metrics prefer the truth", lines=lines), file_format)


def _print_preference(one: Preference) -> str:
    if not one.n_pairs:
        return UNDEFINED
    low, high = one.interval
    return f"{100 * one.accuracy:.1f} [{100 * low:.1f}, {100 * high:.1f}]"


def _print_ties(one: Preference) -> str:
    return f"{100 * one.n_equal / one.n_pairs:.1f}" if one.n_pairs else UNDEFINED
