"""Tests of one metric in Python: golden numbers, parts equal to the whole, and what is refused."""

from pathlib import Path

import pytest

import accordance
from metrics_plugins.api import MetricError
from metrics_plugins.api.errors import UnknownMetric
from metrics_plugins.runtime.checks import CheckResult
from tests.accordance.golden import read_expected, read_golden
from tests.metrics_plugins.cli.running import score as score_by_command

CAPTIONS = ["a dog runs on grass", "a red bus in a street"]
REFERENCES = [["a dog runs", "a dog on the grass"], ["a bus in the street", "a red bus"]]


@pytest.mark.parametrize(
    ("metric", "file", "name"),
    [("cider-d", "expected_ciderd.json", None), ("bleu-4", "expected_bleu.json", "Bleu_4")],
)
def test_golden_numbers(metric: str, file: str, name: str | None, golden_folder: Path) -> None:
    images, captions, references = read_golden(golden_folder)
    expected = read_expected(golden_folder, file)
    segments = [expected["segments"][image] for image in images]

    result = accordance.load(metric).compute(captions, references)

    assert result.value == pytest.approx(expected["corpus"][name] if name else expected["corpus"], abs=1e-9)
    assert result.values.tolist() == pytest.approx([each[name] if name else each for each in segments], abs=1e-9)


@pytest.mark.parametrize("metric", ["cider-d", "bleu-4", "rouge-l"])
def test_every_digit_is_that_of_the_command(metric: str, golden_folder: Path, tmp_path: Path) -> None:
    _images, captions, references = read_golden(golden_folder)
    files = ("--candidates", golden_folder / "candidates.json", "--references", golden_folder / "references.json")

    rows = score_by_command(*files, "--metrics", metric, folder=tmp_path)
    result = accordance.load(metric).compute(captions, references)

    assert [*result.values.tolist(), result.value] == [row["value"] for row in rows]


@pytest.mark.parametrize("metric", ["cider-d", "bleu-4", "rouge-l"])
@pytest.mark.parametrize("size", [1, 5])
def test_parts_give_every_digit_of_the_whole(metric: str, size: int, golden_folder: Path) -> None:
    _images, captions, references = read_golden(golden_folder)
    streamed, whole = accordance.load(metric), accordance.load(metric).compute(captions, references)

    for start in range(0, len(captions), size):
        streamed.update(captions[start : start + size], references[start : start + size])
    result = streamed.compute()

    assert (result.value, result.values.tolist()) == (whole.value, whole.values.tolist())


def test_reset_forgets_the_captions() -> None:
    metric = accordance.load("bleu-4")
    metric.update(["nothing in common"], [["a dog runs on the grass"]])
    metric.reset()
    metric.update(CAPTIONS, REFERENCES)

    assert metric.compute().value == accordance.load("bleu-4").compute(CAPTIONS, REFERENCES).value


def test_parameters_are_in_the_signature() -> None:
    result = accordance.load("cider-d", n=2).compute(CAPTIONS, REFERENCES)

    assert "|n:2|" in result.signature
    assert result.signature in result._repr_html_()


def test_references_of_one_image_are_learned_from_once() -> None:
    twice = accordance.load("cider-d").compute([*CAPTIONS, *CAPTIONS], [*REFERENCES, *REFERENCES], images=list("abab"))

    assert twice.values[:2].tolist() == accordance.load("cider-d").compute(CAPTIONS, REFERENCES).values.tolist()


def test_sets_of_captions() -> None:
    result = accordance.load("div-1").compute([["a dog", "a cat"], ["a dog", "a dog"]])

    assert result.values.tolist() == pytest.approx([0.75, 0.5], abs=1e-6)


def test_unknown_metric_names_the_nearest() -> None:
    with pytest.raises(UnknownMetric, match="did you mean cider"):
        accordance.load("ciderd")


def test_metric_that_learns_from_judgments_is_refused() -> None:
    with pytest.raises(MetricError, match="learns from judgments: train it"):
        accordance.load("critic-judgments").compute(CAPTIONS, REFERENCES)


@pytest.mark.parametrize(
    ("captions", "references", "message"),
    [
        ("a dog", [["a dog"]], "must be a list of captions"),
        (["a dog"], ["a dog"], "must be a list of texts for each caption"),
        (["a dog", "a cat"], [["a dog"]], r"`references` must have one entry per caption \(2\), got 1"),
        (["a dog", ["a cat"]], None, "all texts or all lists"),
        ([], [], "there are no captions"),
        (None, None, "there are no captions"),
    ],
)
def test_wrong_columns_are_refused(captions: object, references: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        accordance.load("bleu-4").compute(captions, references)


def test_references_in_only_some_updates_are_refused() -> None:
    metric = accordance.load("bleu-4")
    metric.update(CAPTIONS, REFERENCES)

    with pytest.raises(ValueError, match="`references` must be given in every update or in none"):
        metric.update(["a cat"])


def test_a_plugin_file_is_loaded_scored_and_checked(tmp_path: Path) -> None:
    plugin = tmp_path / "overlap_of_test.py"
    plugin.write_text((Path(__file__).resolve().parents[2] / "docs" / "data" / "overlap.py").read_text())

    overlap = accordance.load("overlap", plugins=[plugin])
    frame = accordance.score(CAPTIONS, REFERENCES, metrics=["overlap", "bleu-1"], plugins=[str(plugin)])
    report = accordance.check("overlap", plugins=[plugin])

    assert overlap.compute(["a dog sings"], [["a dog runs"]]).value == pytest.approx(2 / 3)
    assert frame["overlap"].tolist() == overlap.compute(CAPTIONS, REFERENCES).values.tolist()
    assert report.passed
    assert repr(report) == f"{len(report.results)} of {len(report.results)} checks of overlap passed"
    # Other calls do not know it.
    with pytest.raises(UnknownMetric):
        accordance.load("overlap")


def test_a_failed_check_is_shown_as_escaped_html() -> None:
    failed = CheckResult("length", "finite", "gives no infinite score", passed=False, message="got <inf>")

    report = accordance.CheckReport("length", (failed,))

    assert not report.passed
    assert "<td>FAILED</td><td>finite</td><td>got &lt;inf&gt;</td>" in report._repr_html_()
    assert repr(report) == f"{failed}\n0 of 1 checks of length passed"
