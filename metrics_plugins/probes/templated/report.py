"""Reports of probes in Markdown and JSON."""

from dataclasses import asdict
from typing import Any

from metrics_plugins.probes.tables import format_json, format_table, print_number, print_share
from metrics_plugins.probes.templated.probing import MetricProbing, ProbeReport, Role


def print_probing(report: ProbeReport) -> str:
    """Return Markdown: the metrics for which a probe wins, the scores of contestants, and comparisons by image."""
    has_systems = any(each.role is Role.SYSTEM for each in report.metrics[0].showings)
    return "\n".join(
        [
            _print_head(report),
            "## Metrics that a probe tops\n",
            _print_verdicts(report, has_systems=has_systems),
            "## Scores\n",
            _print_showings(report),
            "## Image by image\n",
            _print_duels(report),
            "".join(f"- `{each.signature}`\n" for each in report.metrics),
        ]
    )


def format_probing(report: ProbeReport) -> str:
    """Return JSON: the fields of `ProbeReport`, with the probes that win against people or all systems by metric."""
    content = asdict(report) | {"metrics": [_describe_metric(each) for each in report.metrics]}
    return format_json(content | {"examples": dict(report.examples)})


def _describe_metric(probing: MetricProbing) -> dict[str, Any]:
    return asdict(probing) | {
        "tops_people": probing.find_topping(Role.PEOPLE),
        "tops_systems": probing.find_topping(Role.SYSTEM),
    }


def _print_head(report: ProbeReport) -> str:
    examples = "".join(f"- {name}: {caption or '(no words)'}\n" for name, caption in report.examples)
    return (
        f"Images: {report.n_images}; dropped (no second reference): {report.n_dropped}. People are reference "
        f"{report.position}; all are scored against the other references.\n\n"
        f"Captions of the first image:\n\n{examples}"
    )


def _print_verdicts(report: ProbeReport, *, has_systems: bool) -> str:
    header = ["metric", "topping people", *(["topping all systems"] if has_systems else [])]
    roles = [Role.PEOPLE, Role.SYSTEM] if has_systems else [Role.PEOPLE]
    rows = [[each.metric, *(", ".join(each.find_topping(role)) or "none" for role in roles)] for each in report.metrics]
    return format_table(header, rows, n_names=3)


def _print_showings(report: ProbeReport) -> str:
    rows = [
        [
            *(metric.metric, each.name, each.role.value),
            *(print_number(each.system), print_number(each.mean), str(each.n_missing)),
        ]
        for metric in report.metrics
        for each in metric.showings
    ]
    return format_table(["metric", "captions", "by", "system score", "mean", "missing"], rows, n_names=3)


def _print_duels(report: ProbeReport) -> str:
    rows = [
        [
            *(metric.metric, duel.probe, duel.opponent),
            *(print_share(duel.share_better), print_share(duel.share_equal), str(duel.n_images)),
        ]
        for metric in report.metrics
        for duel in metric.duels
    ]
    return format_table(["metric", "probe", "against", "probe better", "equal", "images"], rows, n_names=3)
