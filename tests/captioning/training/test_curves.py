import json

from captioning.training.curves import draw_curve, write_curve, write_page

POINTS = [
    {"phase": "start", "total_step": 0, "loss": 3.5, "train_loss": None, "cider": 0.0, "sample_cider": 0.1},
    {"phase": "cross entropy", "total_step": 10, "loss": 2.5, "train_loss": 2.75, "cider": 0.5, "sample_cider": 0.2},
]


def list_panels(figure):
    return {panel["title"]["text"]: panel["data"]["values"] for row in figure["vconcat"] for panel in row["hconcat"]}


def test_a_panel_shows_the_measures_of_one_kind_and_leaves_out_what_is_not_known():
    panels = list_panels(draw_curve(POINTS, title="FC"))
    assert panels == {
        "loss (nats a word)": [
            {"series": "training captions", "x": 10, "y": 2.75},
            {"series": "validation captions", "x": 0, "y": 3.5},
            {"series": "validation captions", "x": 10, "y": 2.5},
        ],
        "CIDEr-D": [
            {"series": "greedy", "x": 0, "y": 0.0},
            {"series": "greedy", "x": 10, "y": 0.5},
            {"series": "sampled", "x": 0, "y": 0.1},
            {"series": "sampled", "x": 10, "y": 0.2},
        ],
    }


def test_the_note_stands_in_curve_figure_and_page(tmp_path):
    write_curve(tmp_path, POINTS, note="from <texts>")
    write_page(tmp_path, POINTS, title="FC & more", note="from <texts>", is_complete=False)
    lines = (tmp_path / "curve.jsonl").read_text().splitlines()
    assert [json.loads(line) for line in lines] == [{**point, "note": "from <texts>"} for point in POINTS]
    for name in ("curve.svg", "index.html"):
        assert "from &lt;texts&gt;" in (tmp_path / name).read_text()
    page = (tmp_path / "index.html").read_text()
    assert 'http-equiv="refresh"' in page
    assert "FC &amp; more" in page


def test_without_a_note_there_is_no_remark(tmp_path):
    write_curve(tmp_path, POINTS)
    write_page(tmp_path, POINTS, title="FC", is_complete=True)
    assert "note" not in (tmp_path / "curve.jsonl").read_text()
    assert 'http-equiv="refresh"' not in (tmp_path / "index.html").read_text()
