"""Object templates against captioners as Markdown, JSON and a figure."""

from dataclasses import asdict

from captioning.probes.object_templates import TemplateReport
from correlation.figures.curves import CurvePoint, draw_curves
from correlation.figures.rendering import render
from metrics_plugins.probes.tables import format_json, format_table, print_number


def print_templates(report: TemplateReport) -> str:
    """Return Markdown: length and scores of each template and captioner, and which captioners a template tops."""
    metrics = list(report.rows[0].scores)
    rows = [
        [
            each.name,
            f"{each.mean_words:.1f}",
            *(print_number(each.scores[metric]) for metric in metrics),
            str(each.n_empty),
        ]
        for each in report.rows
    ]
    topped = "".join(f"- {metric}: {_list_topped(report, metric)}\n" for metric in metrics)
    return "\n".join(
        [
            f"Images: {report.n_images:,}{f' ({report.note})' if report.note else ''}. Objects: {report.objects}. The "
            f"most common classes are {', '.join(report.classes)}.\n",
            format_table(["captions", "words", *metrics, "naming nothing"], rows),
            f"Captioners that score below a template:\n\n{topped}",
        ]
    )


def format_templates(report: TemplateReport) -> str:
    """Return JSON: the fields of `TemplateReport`, with the captioners that templates top, by metric."""
    topped = {metric: report.find_topped(metric) for metric in report.rows[0].scores}
    return format_json(asdict(report) | {"topped": topped})


def draw_templates(report: TemplateReport, *, file_format: str = "svg") -> bytes:
    """Return the figure as a file, after figure 3: words along x, a metric along y, a panel for each metric.

    The templates are the points of one curve, each captioner is a point.
    """
    templates = [each.name for each in report.rows if each.is_template]
    points = [
        CurvePoint(
            panel=metric,
            series="templates" if each.is_template else each.name,
            x=each.mean_words,
            y=each.scores[metric],
        )
        for metric in report.rows[0].scores
        for each in report.rows
    ]
    lines = [
        f"{report.n_images:,} images{f', {report.note}' if report.note else ''}.",
        f"Objects: {report.objects}.",
        f"The points of the curve: {'; '.join(templates)}.",
    ]
    figure = draw_curves(points, x_title="words", title="Captions that only list objects, and captioners", lines=lines)
    return render(figure, file_format)


def _list_topped(report: TemplateReport, metric: str) -> str:
    by_captioner: dict[str, list[str]] = {}
    for template, captioner in report.find_topped(metric):
        by_captioner.setdefault(captioner, []).append(template)
    return "; ".join(f"{captioner} below {', '.join(names)}" for captioner, names in by_captioner.items()) or "none"
