"""Tests of sections of pages, and of the tables and figures that the reports write into them."""

import shutil

import pytest

from benchmarks.captioning import diversity_page, ice_page
from benchmarks.captioning.pages import replace_section


def make_point(step: int, *, truth: float, grammar: float = 1.0, loss: float = 0.5, **changes: float) -> dict:
    return {
        "step": step,
        "loss": loss,
        "gtd-truthful": truth,
        "gtd-grammatical": grammar,
        "gtd-diversity": truth / 2 + 0.1,
        "bleu-4": truth,
        "spice": truth,
    } | changes


def make_curves(*, final: dict[str, float], lag: float = 0.1) -> dict:
    return {
        name: {
            captioner: [
                make_point(100, truth=(value - less) / 3, loss=1.0),
                make_point(200, truth=value - less, loss=0.6),
                make_point(300, truth=value - less / 2, loss=0.4),
            ]
            for captioner, less in (("lrcn-1u", 0.0), ("show-and-tell", lag))
        }
        for name, value in final.items()
    }


FINAL = dict(zip(ice_page.SETS, (1.0, 0.95, 0.8, 0.55, 0.5, 0.46), strict=True))


def judge(number: int, results: dict) -> tuple[bool, str]:
    (finding,) = [each for each in ice_page.FINDINGS if each.number == number]
    return finding.judge(results)


def test_findings_are_numbered_as_in_the_paper():
    assert [each.number for each in ice_page.FINDINGS] == list(range(1, 12))


@pytest.mark.parametrize("number", [1, 2, 3, 4, 6])
def test_findings_hold_for_curves_like_the_paper(number):
    assert judge(number, make_curves(final=FINAL))[0]


@pytest.mark.parametrize(
    ("number", "final", "lag"),
    [
        (1, FINAL, -0.1),
        (2, FINAL, -0.1),
        (4, FINAL | {"spatial-twoshapes": 0.5}, 0.1),
        (6, FINAL | {"quant-ratio": 0.59}, 0.1),
        (10, dict.fromkeys(ice_page.SETS, 0.5), 0.1),
    ],
)
def test_findings_do_not_hold_for_other_curves(number, final, lag):
    assert not judge(number, make_curves(final=final, lag=lag))[0]


def test_metrics_that_equal_truth_contradict_the_paper():
    holds, numbers = judge(7, make_curves(final=FINAL))

    assert (holds, numbers) == (False, "Spearman with truth over 12 captioners: BLEU-4 1.00, SPICE 1.00")


def test_grammar_learned_late_is_not_early():
    results = make_curves(final=FINAL)
    for point in results["quant-count"]["lrcn-1u"][:2]:
        point["gtd-grammatical"] = 0.9

    holds, numbers = judge(3, results)

    assert not holds
    assert "300 (quant-count)" in numbers


def test_truth_that_falls_with_the_loss_is_counted():
    results = make_curves(final=FINAL)
    results["quant-count"]["lrcn-1u"][2]["gtd-truthful"] = 0.1

    assert judge(11, make_curves(final=FINAL))[0] is False
    assert judge(11, results) == (True, "truth fell in 1 of 24 intervals in which the loss fell")


def test_the_page_of_worlds_is_written(tmp_path, monkeypatch):
    page = tmp_path / "page.md"
    shutil.copy(ice_page.PAGE, page)
    monkeypatch.setattr(ice_page, "PAGE", page)
    monkeypatch.setattr(ice_page, "FIGURES", tmp_path)
    settings = {"n_train": 1000, "n_test": 100, "steps": 300, "batch_size": 64, "seed": 1}

    ice_page.write_page({"results": make_curves(final=FINAL), "settings": settings, "minutes": 4.4})

    text = page.read_text()
    assert "| spatial-multishapes | lrcn-1u | 55.0 | 100.0 | 37.5 | 55.0 | 55.0 | 0.400 |" in text
    assert "1,000 training worlds" in text
    assert b"quant-ratio" in (tmp_path / "captioning-worlds-gtd-truthful.svg").read_bytes()


def make_method(accuracy: float, diversity: float) -> dict:
    own = {"accuracy": accuracy, "self_cider": diversity}
    best = [
        {"metric": "bleu-4", "k": 20, "best": 0.4, "average": 0.2},
        {"metric": "cider-d", "k": 20, "best": 1.5, "average": 0.9},
    ]
    return {"sampled": own, "dpp": own, "best": best, "seconds": 60, "training_seconds": 30}


def test_the_page_of_diverse_captions_is_written(tmp_path, monkeypatch):
    page = tmp_path / "page.md"
    shutil.copy(diversity_page.PAGE, page)
    monkeypatch.setattr(diversity_page, "PAGE", page)
    monkeypatch.setattr(diversity_page, "FIGURES", tmp_path)
    results = {
        name: make_method(accuracy, 1 - diversity) for name, (accuracy, diversity) in diversity_page.PUBLISHED.items()
    }
    sizes = {"n_train": 9, "n_test": 9, "steps": 9, "objective_steps": 9, "objective_batch": 9}

    diversity_page.write_page(
        {"results": results, "people": {"accuracy": 0.88, "self_cider": 0.9}, "sizes": sizes, "seed": 1, "minutes": 2.0}
    )

    text = page.read_text()
    assert "| SCST | 1.161 | 0.777 | 1.161 | 0.777 | 1.161 | 0.223 | 0.5 |" in text
    assert "| SCST | 40.0 / 20.0 | 150.0 / 90.0 |" in text
    assert "- average CIDEr: tau-b 1.00 over 7 methods; from high to low: CIDEr + 1 JPC (5), SCST" in text
    assert "- Self-CIDEr: tau-b -1.00 over 7 methods" in text
    assert b">UDA-5<" in (tmp_path / "captioning-diversity.svg").read_bytes()


def test_a_page_without_the_section_is_refused(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("text <!-- one -->\n")

    with pytest.raises(ValueError, match="has no section between <!-- one --> and <!-- end of one -->"):
        replace_section(page, name="one", content="x")
