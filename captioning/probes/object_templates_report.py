"""Object templates against captioners as Markdown, JSON and a figure."""

from dataclasses import asdict
from typing import Any

from captioning.probes.object_templates import TemplateReport
from correlation.figures.rendering import render
from correlation.figures.style import FIT, POINTS, frame_figure, head_figure
from metrics_plugins.probes.tables import format_json, format_table, print_number

WIDTH, HEIGHT = 330, 260


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
    """Return the figure as a file, after figure 3: words along x, a metric along y, a panel for each metric."""
    panels = [_draw_panel(report, metric) for metric in report.rows[0].scores]
    note = f"{report.n_images:,} images{f', {report.note}' if report.note else ''}; objects: {report.objects}."
    title = head_figure("Captions that only list objects, and captioners", [note])
    return render(frame_figure(title=title, hconcat=panels, spacing=50), file_format)


def _draw_panel(report: TemplateReport, metric: str) -> dict[str, Any]:
    values = [
        {
            "words": each.mean_words,
            "score": each.scores[metric],
            "name": each.name,
            "kind": "template" if each.is_template else "captioner",
        }
        for each in report.rows
    ]
    axis = {"grid": True, "tickCount": 5}
    return {
        "title": {"text": metric, "anchor": "start", "fontWeight": "normal", "fontSize": 14},
        "width": WIDTH,
        "height": HEIGHT,
        "data": {"values": values},
        "encoding": {
            "x": {"field": "words", "type": "quantitative", "title": "words", "scale": {"zero": False}, "axis": axis},
            "y": {"field": "score", "type": "quantitative", "title": None, "axis": axis},
            "color": {
                "field": "kind",
                "type": "nominal",
                "title": None,
                "scale": {"domain": ["template", "captioner"], "range": [FIT, POINTS]},
            },
        },
        "layer": [
            {"transform": [{"filter": "datum.kind == 'template'"}], "mark": {"type": "line", "strokeWidth": 1}},
            {"mark": {"type": "point", "filled": True, "size": 70, "opacity": 1}},
            {
                "mark": {"type": "text", "align": "left", "dx": 7, "dy": -7, "fontSize": 11},
                "encoding": {"text": {"field": "name"}},
            },
        ],
    }


def _list_topped(report: TemplateReport, metric: str) -> str:
    by_captioner: dict[str, list[str]] = {}
    for template, captioner in report.find_topped(metric):
        by_captioner.setdefault(captioner, []).append(template)
    return "; ".join(f"{captioner} (by {', '.join(names)})" for captioner, names in by_captioner.items()) or "none"
