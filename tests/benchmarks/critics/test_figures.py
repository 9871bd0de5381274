"""Tests of the figures on critic-lstm."""

import json
from pathlib import Path

from benchmarks.critics.figures import COMPARED, FIGURES, FOLDER, draw_capability, draw_curves, write_figures

RESULTS = json.loads((Path(__file__).parents[3] / "benchmarks" / "critics" / "capability.json").read_text())


def test_every_critic_of_the_grid_is_a_point_of_each_panel() -> None:
    values = draw_capability(RESULTS["capability"])["data"]["values"]

    critics = {(value["critic"], value["learned"]) for value in values}
    # Two contexts, three heads, with and without ruined captions to learn from; five kinds of captions.
    assert (len(critics), len(values)) == (12, 60)
    row = RESULTS["capability"]["rows"][0]
    assert values[0]["share"] == 100 * row["shares"]["human"]


def test_each_panel_has_a_curve_of_each_metric() -> None:
    panels = draw_curves(RESULTS["robustness"])["hconcat"]

    for panel in panels:
        points = panel["vconcat"][0]["data"]["values"]
        assert [sum(point["metric"] == name for point in points) for name in COMPARED] == [11] * len(COMPARED)
        assert {point["score"] for point in points if point["strength"] == 0} == {1.0}


def test_figures_of_the_page_are_there(tmp_path: Path) -> None:
    write_figures(RESULTS, folder=tmp_path)

    names = {f"{name}.svg" for name, _ in FIGURES.values()}
    assert {path.name for path in tmp_path.iterdir()} == names
    assert names <= {path.name for path in FOLDER.iterdir()}
    assert all(path.read_bytes().startswith(b"<svg") for path in tmp_path.iterdir())
