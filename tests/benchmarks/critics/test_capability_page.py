"""Tests that the section on critic-lstm contains the stored results, and that these meet the requirements."""

import json
from pathlib import Path

import pytest

from benchmarks.critics.capability_page import BEGIN, END, PAGE, format_results, write_section

MORE = "augmented, 12,000 images, 8 passes, 512 units"
RESULTS = json.loads((Path(__file__).parents[3] / "benchmarks" / "critics" / "capability.json").read_text())


def test_page_holds_the_results() -> None:
    text = PAGE.read_text()
    section = text.partition(BEGIN)[2].partition(END)[0]

    assert section.strip() == format_results(RESULTS).strip()


def test_section_alone_is_replaced(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n")

    write_section({"judged": RESULTS["judged"]}, page=page)

    text = page.read_text()
    assert text.startswith(f"before\n{BEGIN}\n\n### Agreement with people")
    assert text.endswith(f"\n{END}\nafter\n")
    assert "old" not in text


def test_critic_that_learned_from_a_machine_alone_collapses_on_random_captions() -> None:
    rows = {(row["beside"], row["head"], row["learned"]): row["shares"] for row in RESULTS["capability"]["rows"]}

    for head in ("linear", "mlp", "bilinear"):
        augmented, alone = (rows["reference", head, learned] for learned in ("augmented", "machine only"))
        assert max(alone[kind] for kind in ("rc", "wp", "rw")) < 0.2
        assert augmented["wp"] > 2 * alone["wp"]
        assert augmented["rw"] > 0.7
    # It is bilinear pooling, of which the paper shows it, that most of all learns to compare with the reference.
    assert rows["reference", "bilinear", "augmented"]["rc"] > 3 * rows["reference", "bilinear", "machine only"]["rc"]
    assert rows["reference", "bilinear", MORE]["rc"] > 0.4
    assert min(RESULTS["robustness"]["shares"][kind] for kind in ("rc", "wp", "rw")) > 0.8


@pytest.mark.parametrize("distortion", ["wp", "rw"])
def test_critic_is_more_robust_than_every_metric_that_has_not_learned_it(distortion: str) -> None:
    areas = {metric: curves[distortion]["auc"] for metric, curves in RESULTS["robustness"]["areas"].items()}

    assert {"meteor", "spice", "embedding-f1", "sentence-cosine"} < set(areas)
    assert min(areas, key=areas.__getitem__) == "critic-lstm"


def test_critic_agrees_with_experts_better_than_meteor() -> None:
    found = {metric: values["Flickr8k-Expert"] for metric, values in RESULTS["judged"]["agreements"].items()}

    # Published for METEOR: 41.82 (protocol flickr8k-expert@1).
    assert found["meteor"] == pytest.approx(41.82, abs=5e-3)
    assert found["critic-lstm"] > found["meteor"]
