import json
from dataclasses import replace
from math import nan

from metrics_plugins.probes.robustness import RobustnessCurve, RobustnessReport
from metrics_plugins.probes.robustness_report import (
    format_robustness_csv,
    format_robustness_json,
    print_robustness,
)
from metrics_plugins.text.distortions import Distortion


def make_curve(metric, kind, scores, *, higher_is_better=True):
    return RobustnessCurve(metric, f"{metric}|v:1", higher_is_better, kind, (0.0, 0.5, 1.0), scores, (0, 1, 2))


REPORT = RobustnessReport(
    position=0,
    n_images=20,
    n_dropped=3,
    summary="mean",
    curves=(
        make_curve("a", Distortion.RANDOM_CAPTION, (2.0, 1.0, 0.0)),
        make_curve("a", Distortion.RANDOM_WORDS, (2.0, 2.0, 2.0)),
        make_curve("b", Distortion.RANDOM_CAPTION, (0.0, 1.0, nan)),
        make_curve("b", Distortion.RANDOM_WORDS, (0.0, 0.0, 0.0)),
    ),
)


def test_markdown_has_the_areas():
    assert print_robustness(REPORT) == (
        "Images: 20; dropped (no second reference): 3. Reference 0 was distorted and scored against the others. "
        "A lower area is more robust.\n"
        "\n"
        "| metric | AUC RC | AUC RW | unchanged (mean) |\n"
        "| --- | ---: | ---: | ---: |\n"
        "| a | 0.5000 | 1.0000 | 2.0000 |\n"
        "| b | - | - | 0.0000 |\n"
        "\n"
        "- `a|v:1`\n"
        "- `b|v:1`\n"
    )


def test_markdown_names_the_metrics_of_which_less_is_better():
    errors = (
        make_curve("errors", kind, (1.0, 2.0, 3.0), higher_is_better=False)
        for kind in (Distortion.RANDOM_CAPTION, Distortion.RANDOM_WORDS)
    )

    printed = print_robustness(replace(REPORT, curves=(*REPORT.curves, *errors)))

    assert "A lower area is more robust. For errors, lower is better, so a higher area is more robust.\n" in printed


def test_csv_has_a_line_a_point():
    lines = format_robustness_csv(REPORT).splitlines()

    assert lines[0] == "metric,distortion,strength,score,normalised,n_missing"
    assert lines[1:4] == ["a,rc,0.0,2.0,1.0,0", "a,rc,0.5,1.0,0.5,1", "a,rc,1.0,0.0,0.0,2"]
    assert lines[9] == "b,rc,1.0,,,2"
    assert len(lines) == 13


def test_json_has_the_curves():
    content = json.loads(format_robustness_json(REPORT))

    assert (content["n_images"], content["n_dropped"], content["summary"]) == (20, 3, "mean")
    assert content["curves"][0] == {
        "metric": "a",
        "signature": "a|v:1",
        "higher_is_better": True,
        "distortion": "rc",
        "strengths": [0.0, 0.5, 1.0],
        "scores": [2.0, 1.0, 0.0],
        "n_missing": [0, 1, 2],
        "normalised": [1.0, 0.5, 0.0],
        "auc": 0.5,
    }
    assert content["curves"][2]["auc"] is None
    assert content["curves"][2]["scores"] == [0.0, 1.0, None]
