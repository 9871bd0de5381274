"""Reports of robustness curves in Markdown, CSV and JSON."""

from dataclasses import asdict

from metrics_plugins.probes.robustness import RobustnessReport
from metrics_plugins.probes.tables import format_json, format_table, print_number
from metrics_plugins.text.csv_lines import format_csv

CSV_COLUMNS = ("metric", "distortion", "strength", "score", "normalised", "n_missing")


def print_robustness(report: RobustnessReport) -> str:
    """Return Markdown: the area under the curve by metric and distortion."""
    distortions = list(dict.fromkeys(curve.distortion for curve in report.curves))
    areas = {(curve.metric, curve.distortion): curve.auc for curve in report.curves}
    untouched = {curve.metric: curve.scores[0] for curve in report.curves}
    header = ["metric", *(f"AUC {kind.upper()}" for kind in distortions), f"unchanged ({report.summary})"]
    rows = [
        [metric, *(print_number(areas[metric, kind]) for kind in distortions), print_number(score)]
        for metric, score in untouched.items()
    ]
    reverse = list(dict.fromkeys(curve.metric for curve in report.curves if not curve.higher_is_better))
    exception = f" For {', '.join(reverse)}, lower is better, so a higher area is more robust." if reverse else ""
    signatures = "".join(f"- `{signature}`\n" for signature in dict.fromkeys(each.signature for each in report.curves))
    head = (
        f"Images: {report.n_images}; dropped (no second reference): {report.n_dropped}. Reference "
        f"{report.position} was distorted and scored against the others. A lower area is more robust.{exception}\n"
    )
    return "\n".join([head, format_table(header, rows), signatures])


def format_robustness_csv(report: RobustnessReport) -> str:
    """Return CSV with one line for each point of each curve."""
    rows = [
        (curve.metric, curve.distortion.value, *point)
        for curve in report.curves
        for point in zip(curve.strengths, curve.scores, curve.normalised, curve.n_missing, strict=True)
    ]
    return format_csv(CSV_COLUMNS, rows)


def format_robustness_json(report: RobustnessReport) -> str:
    """Return JSON: the fields of `RobustnessReport`, with `normalised` and `auc` for each curve."""
    curves = [asdict(curve) | {"normalised": curve.normalised, "auc": curve.auc} for curve in report.curves]
    return format_json(asdict(report) | {"curves": curves})
