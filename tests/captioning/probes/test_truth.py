"""The truth probe: counts by hand, metrics that know the truth, and the command."""

import json
from pathlib import Path

import numpy as np
import pytest

from captioning.cli import main
from captioning.probes.minimal_pairs import MinimalPair, make_pairs
from captioning.probes.truth import Preference, probe_truth
from captioning.worlds.grounding import GroundedWorld
from captioning.worlds.model import Entity, World
from captioning.worlds.specs import find_spec
from metrics_plugins.probes.errors import ProbeError
from metrics_plugins.runtime import load_registry

RED_SQUARE = GroundedWorld(
    World((Entity("square", "red", shade=0.0, x=0.5, y=0.5, half_width=0.1, half_height=0.1, rotation=0.0),))
)


def make_pair(index: int, kind: str, true: str, worse: str, *references: str) -> MinimalPair:
    return MinimalPair("by hand", index, kind, RED_SQUARE, true, worse, references)


def probe(pairs: list[MinimalPair], *metrics: str):
    registry = load_registry()
    return probe_truth([registry.build(each) for each in metrics], pairs, rng=np.random.default_rng(0))


def test_preferences_are_counted_with_ties_as_half() -> None:
    # Unigram precision against the reference: 4/5 and 3/5, 4/5 and 4/5, 3/5 and 4/5 (brevity is the same).
    pairs = [
        make_pair(0, "color", "a square is red .", "a square is blue .", "one square is red ."),
        make_pair(1, "color", "a square is red .", "a square is red !", "the square is red ."),
        make_pair(2, "color", "a square is red .", "the square is blue .", "the square was blue ."),
    ]

    (found,) = probe(pairs, "bleu-1").metrics

    assert found.preferences == (Preference("color", n_pairs=3, n_missing=0, n_better=1, n_equal=1),)
    assert found.mean == pytest.approx(0.5)


def test_metric_that_knows_the_truth_is_always_right_and_one_that_does_not_is_not() -> None:
    pairs = list(make_pairs(find_spec("spatial-twoshapes"), n_worlds=20, n_references=3))

    report = probe(pairs, "gtd-grammatical", "gtd-truthful", "bleu-4")

    by_name = {each.metric: each for each in report.metrics}
    assert report.metrics[0].metric == "gtd-truthful"
    assert {one.accuracy for one in by_name["gtd-truthful"].preferences} == {1.0}
    grammatical = {one.kind: one.accuracy for one in by_name["gtd-grammatical"].preferences}
    assert grammatical.pop("ungrammatical") == 1.0
    assert set(grammatical.values()) == {0.5}
    assert 0.5 < by_name["bleu-4"].mean < 1.0
    assert report.n_worlds == len({pair.index for pair in pairs})


def test_metric_of_caption_sets_is_refused() -> None:
    with pytest.raises(ProbeError, match="'self-cider' gives one score for each set"):
        probe([make_pair(0, "color", "a", "b", "c")], "self-cider")


def test_command_writes_reports_and_a_figure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["truth-probe", "--metrics", "bleu-1,gtd-truthful", "--sets", "spatial-twoshapes", "--worlds", "12"]

    codes = [main(command), *(main([*command, "--out", str(tmp_path / f"probe.{end}")]) for end in ("json", "svg"))]

    assert codes == [0, 0, 0]
    printed = capsys.readouterr().out
    assert "| gtd-truthful | 100.0 | 100.0 [" in printed
    content = json.loads((tmp_path / "probe.json").read_text())
    assert [each["metric"] for each in content["metrics"]] == ["gtd-truthful", "bleu-1"]
    assert content["metrics"][0]["preferences"][0]["accuracy"] == 1.0
    figure = (tmp_path / "probe.svg").read_text()
    assert all(text in figure for text in ("Which metrics prefer the truth", "gtd-truthful", "100.0", "relation"))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--metrics", "bleu-1", "--sets", "nowhere"], "no set is called 'nowhere'"),
        (["--metrics", "no-metric"], "no installed plugin has a metric 'no-metric'"),
        (["--metrics", "bleu-1", "--sets", "quant-count,quant-count"], "--sets must name each set once"),
        (["--metrics", "bleu-1", "--out", "probe.txt"], "probe.txt"),
    ],
)
def test_arguments_that_cannot_be_used_are_refused(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["truth-probe", *arguments]) == 2

    assert message in capsys.readouterr().err
