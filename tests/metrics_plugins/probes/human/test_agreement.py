"""Tests of human agreement against pycocoevalcap and by hand."""

import json
import zipfile
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from metrics_plugins.probes.errors import ProbeError
from metrics_plugins.probes.human.agreement import measure_human_agreement
from metrics_plugins.readers import read_captions
from metrics_plugins.runtime import load_registry
from tests.metrics_plugins.probes.captions import REFERENCES, Shared, Words

# Metric -> its place in the golden file.
GOLDEN = {
    **{f"bleu-{n}": ("bleu", f"Bleu_{n}") for n in (1, 2, 3, 4)},
    "rouge-l": ("rouge_l", None),
    "cider-d": ("ciderd", None),
    "meteor": ("meteor", None),
}


def build(*names):
    registry = load_registry()
    return [registry.build(name) for name in names]


def measure(metrics, references, **options):
    return measure_human_agreement(metrics, references, rng=np.random.default_rng(0), **options)


def read_references(path: Path) -> dict[str, list[str]]:
    references: dict[str, list[str]] = {}
    for record in read_captions(path).records:
        references.setdefault(record.image_id, []).append(record.caption)
    return references


def test_first_reference_against_the_others_equals_golden(golden_folder):
    # shared/golden/README.md: pycocoevalcap 1.2, reference 0 against the others, images of one reference dropped.
    expected = json.loads((golden_folder / "expected_human_agreement_first_reference.json").read_text())

    found = measure(build(*GOLDEN), read_references(golden_folder / "references.json"), positions=[0])

    assert [each.metric for each in found] == list(GOLDEN)
    for each in found:
        family, name = GOLDEN[each.metric]
        content = expected[family]
        (only,) = each.rounds
        segments = {key: value[name] if name else value for key, value in content["segments"].items()}
        corpus = content["corpus"][name] if name else content["corpus"]
        assert only.scores.keys == tuple(segments)
        assert only.scores.values.tolist() == pytest.approx(list(segments.values()), abs=1e-9, rel=0)
        assert (only.system, each.system) == pytest.approx((corpus, corpus), abs=1e-9, rel=0)
        assert each.n_dropped == 1


def test_each_reference_in_turn_by_hand():
    # dogs: "a dog runs" has 3 of 3 words in the others, "the dog runs fast" 2 of 4, "a brown dog" 2 of 3.
    # cats: "a cat sleeps" has 2 of 3, "two cats sleep" 0 of 3, "a cat" 2 of 2.
    (found,) = measure([Shared()], REFERENCES)

    assert [each.position for each in found.rounds] == [0, 1, 2]
    assert [each.scores.values.tolist() for each in found.rounds] == [
        pytest.approx([1, 2 / 3]),
        pytest.approx([1 / 2, 0]),
        pytest.approx([2 / 3, 1]),
    ]
    assert [each.system for each in found.rounds] == pytest.approx([5 / 6, 1 / 4, 5 / 6])
    assert found.system == pytest.approx((5 / 6 + 1 / 4 + 5 / 6) / 3)
    assert (found.n_dropped, found.signature) == (1, "shared|v:1")


def test_rounds_weigh_by_their_images():
    references = {"a": ("1", "1 2"), "b": ("1", "1 2", "1 2 3 4")}

    (found,) = measure([Words()], references)

    # Positions 0 and 1 have two images, position 2 one.
    assert [each.system for each in found.rounds] == [1, 2, 4]
    assert found.system == pytest.approx((2 * 1 + 2 * 2 + 4) / 5)


def test_a_metric_learns_only_from_what_is_scored_against():
    references = {"a": ("x y", "p q"), "b": ("x y", "r s"), "c": ("x z", "t u")}

    (found,) = measure(build("cider"), references, positions=[0])

    # The held-out captions share words with each other and with no reference left.
    assert found.rounds[0].scores.values.tolist() == [0, 0, 0]


def test_progress_is_tracked_step_by_step():
    seen = []

    def track(steps, *, total, label):
        for step in steps:
            seen.append((label, total))
            yield step

    measure([Shared(), Words()], REFERENCES, positions=[2, 0, 2], track=track)

    assert seen == [("human agreement", 4)] * 4


@pytest.mark.parametrize(
    ("references", "options", "message"),
    [
        (REFERENCES, {"positions": []}, "at least one position"),
        (REFERENCES, {"positions": [5]}, "at least 6 references"),
        ({"a": ("x",)}, {}, "at least 2 references"),
    ],
)
def test_what_cannot_be_measured_is_said(references, options, message):
    with pytest.raises(ProbeError, match=message):
        measure([Words()], references, **options)


@pytest.mark.slow
def test_coco_validation_images_come_near_table_1():
    """Chen et al. (2015), Table I, c5: on the hidden test images, where a caption has five references and not four."""
    published = {
        "bleu-1": 0.663,
        "bleu-2": 0.469,
        "bleu-3": 0.321,
        "bleu-4": 0.217,
        "meteor": 0.252,
        "rouge-l": 0.484,
        "cider-d": 0.854,
    }
    (package,) = find_spec("pycocoevalcap").submodule_search_locations
    with zipfile.ZipFile(Path(package) / "spice" / "spice-1.0.jar") as jar:
        annotations = json.loads(jar.read("coco/annotations/captions_val2014.json"))["annotations"]
    references: dict[str, list[str]] = {}
    for annotation in annotations:
        references.setdefault(str(annotation["image_id"]), []).append(annotation["caption"])

    found = {each.metric: each.system for each in measure(build(*published), references, positions=range(5))}

    # BLEU, METEOR and ROUGE-L take the best of the references and can only lose by having one less; CIDEr-D is a mean.
    assert found == pytest.approx(published, abs=0.04)
    assert all(found[name] < published[name] for name in published if name != "cider-d")
    assert found["cider-d"] == pytest.approx(published["cider-d"], abs=0.005)
