"""Small files in the layout of AudioCaps-Eval and Clotho-Eval, with numbers worked out by hand."""

import json
import zipfile
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from metrics_plugins.api import MetricInfo
from metrics_plugins.runtime import load_registry
from studies.analysis.correlations import gather_observations
from studies.analysis.reports import correlate_observations
from studies.datasets.importing.published.fense import choose_references
from studies.models import Item, ReferenceSet, Study
from studies.scoring.study_scoring import score_study
from tests.factories.studies import NOW
from tests.installed import INSTALLED_PLUGINS
from tests.metrics_plugins.api.examples import ExamplePlugin, Recall, make_info
from tests.studies.datasets.importing.conftest import Import, Refuse

SOUND = {
    "raw_name": "Y1.wav",
    "references": ["a dog barks", "dogs bark loudly", "a dog", "barking", "rain falls"],
    "HC": ["a dog barks", "a dog", "human", "human", [-1, -1, 1, -1]],
    "HI": ["rain falls", "a cat barks", "human", "other", [1, 1, 1, 1]],
    "HM": ["dogs bark loudly", "a dog runs", "human", "m1", [1, 1, -1, -1]],
    "MM_1": ["a dog barks loudly", "dogs", "m1", "m2", [1, 0, 1, 1]],
    "MM_3": ["dogs bark", "a", "m2", "m1", [1, -1, -1, -1]],
}
CLOTHO = {"references": ["Wind.", "wind", "rain", "birds", "a bird"], "HC": ["wind", "rain", 0, 1, [1, 1, 1, -1]]}


class Share(Recall):
    """The share of the first reference's words that the candidate has."""

    info: ClassVar[MetricInfo] = make_info("share", inputs=Recall.info.inputs)


def write_files(folder: Path, *, audiocaps: Any = None, clotho: Any = None) -> Path:
    """Write the files whose content is given."""
    for name, content in (("audiocaps", audiocaps), ("clotho", clotho)):
        if content is not None:
            (folder / f"{name}_eval.json").write_text(json.dumps(content))
    return folder


@pytest.mark.parametrize(
    ("category", "texts", "references", "first", "second"),
    [
        # Each caption without itself, and with the other one.
        ("HC", ("b", "d"), "abcde", [(0, 2, 3, 4)], [(0, 1, 2, 4)]),
        # Both without the first one.
        ("HI", ("b", "x"), "abcde", [(0, 2, 3, 4)], [(0, 2, 3, 4)]),
        ("HM", ("e", "a"), "abcde", [(0, 1, 2, 3)], [(0, 1, 2, 3)]),
        # All copies of a caption go; what is left begins again until there are four.
        ("HI", ("b", "x"), "abbcb", [(0, 3, 0, 3)], [(0, 3, 0, 3)]),
        # An equal text goes first; without one, those of the same letters.
        ("HM", ("a", "x"), ["a", "A.", "b", "c", "d"], [(1, 2, 3, 4)], [(1, 2, 3, 4)]),
        ("HM", ("a !", "x"), ["a", "A.", "b", "c", "d"], [(2, 3, 4, 2)], [(2, 3, 4, 2)]),
        # Each reference is left out in turn.
        ("MM", ("a", "x"), "abc", [(1, 2), (0, 2), (0, 1)], [(1, 2), (0, 2), (0, 1)]),
        ("MM", ("a", "x"), "a", [(0,)], [(0,)]),
        ("HC", ("a", "x"), "a", [()], [(0, 0, 0, 0)]),
    ],
)
def test_references_of_a_pair(
    category: str, texts: tuple[str, str], references: Any, first: list[Any], second: list[Any]
) -> None:
    chosen = choose_references(category, texts, list(references))

    assert (list(chosen[0]), list(chosen[1])) == (first, second)


def test_imports_a_study_for_each_file(run_import: Import, tmp_path: Path) -> None:
    found = run_import("fense", source=write_files(tmp_path, audiocaps=[SOUND, SOUND], clotho=[CLOTHO]))

    assert [str(study) for study in found.studies] == [
        "study fense-audiocaps (fense@1): 10 rows read; 3 images, 15 references, 22 candidates, 10 items, 4 raters, "
        "40 judgments",
        "study fense-clotho (fense@1): 1 row read; 3 images, 15 references, 22 candidates, 1 item, 4 raters, "
        "4 judgments",
    ]
    items = Item.objects.filter(task__study__name="fense-audiocaps", image__key="audiocaps-0001").order_by("pk")
    assert list(items.values_list("category", "candidate__text", "other_candidate__system__name")) == [
        ("HC", "a dog barks", "human"),
        ("HI", "rain falls", "other"),
        ("HM", "dogs bark loudly", "m1"),
        ("MM", "a dog barks loudly", "m2"),
        ("MM", "dogs bark", "m1"),
    ]
    parts = ReferenceSet.objects.order_by("pk").values_list("name", "part")
    assert list(parts) == [
        ("shipped", "audiocaps-people-first"),
        ("shipped", "audiocaps-people-second"),
        ("shipped", "audiocaps-machines-first"),
        ("shipped", "audiocaps-machines-second"),
        ("shipped", "clotho-people-first"),
        ("shipped", "clotho-people-second"),
    ]


def test_numbers_are_those_of_the_published_procedure(run_import: Import, tmp_path: Path) -> None:
    run_import("fense", source=write_files(tmp_path, audiocaps=[SOUND]), study="mine")
    study = Study.objects.get(name="mine-audiocaps")
    registry = load_registry([ExamplePlugin(Share)], blocked=INSTALLED_PLUGINS)

    report = score_study(study, now=lambda: NOW, registry=registry)
    gathered = gather_observations(study, registry=registry)

    # Two machine captions with five alternatives each: a part has ten rows, and each is a document.
    assert [(each.references, each.n_rows) for each in report.inputs] == [
        ("set-shipped-part-audiocaps-people-first", 3),
        ("set-shipped-part-audiocaps-people-second", 3),
        ("set-shipped-part-audiocaps-machines-first", 10),
        ("set-shipped-part-audiocaps-machines-second", 10),
    ]
    # HC: "a dog barks" against "dogs bark loudly" 0, "a dog" against "a dog barks" 2/3. HI: both against "a dog barks".
    # MM_1: against "dogs bark loudly" once, 1/3 and 1/3, and four times against "a dog barks", 1 and 0: 13/15 and 1/15.
    # MM_3: 2/3 and 0 once, 0 and 1/3 four times.
    expected = np.array([(0, 2 / 3), (0, 2 / 3), (0, 2 / 3), (13 / 15, 1 / 15), (2 / 15, 4 / 15)])
    np.testing.assert_allclose(gathered.metrics[0].scores[0], expected)
    # People chose the second of HC and of MM_3, the first of HI and of MM_1; in HM they were two against two.
    rows = correlate_observations(gathered).rows
    assert [(row.category, row.value, row.n, row.n_missing) for row in rows] == [
        ("HC", 1.0, 1, 0),
        ("HI", 0.0, 1, 0),
        ("HM", None, 0, 1),
        ("MM", 1.0, 2, 0),
        ("total", 0.75, 4, 1),
    ]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({}, "audiocaps_eval.json: must be a list, got an object"),
        ([], "audiocaps_eval.json: holds no sounds"),
        ([{"HC": []}], "audiocaps_eval.json, record 1, field references: is missing, got only HC"),
        (
            [SOUND, {"references": []}],
            "audiocaps_eval.json, record 2, field references: must hold at least one caption",
        ),
        (
            [{"references": ["a"], "HC": ["a", "b"]}],
            "audiocaps_eval.json, record 1, field HC: must be a list of two captions, their two sources, and last the "
            "votes, got 2 elements",
        ),
        (
            [{"references": ["a"], "HC": ["a", "b", "x", "y", [1, 3]]}],
            "audiocaps_eval.json, record 1, field HC: must end with votes of 1 (first caption), -1 (second) or 0, "
            "got 1, 3",
        ),
        (
            [{"references": ["a"], "MM_2": ["a", 1, "x", "y", [1]]}],
            "audiocaps_eval.json, record 1, field MM_2: must be text, got 1",
        ),
        (
            [{"references": ["a"]}],
            "audiocaps_eval.json: must hold a pair (HC, HI, HM, MM_1, MM_2, MM_3, MM_4, MM_5), got none",
        ),
    ],
)
def test_refuses_a_bad_file(refuse: Refuse, tmp_path: Path, content: Any, message: str) -> None:
    assert refuse("fense", source=write_files(tmp_path, audiocaps=content)) == message


def test_refuses_a_folder_without_the_files(refuse: Refuse, tmp_path: Path) -> None:
    assert refuse("fense", source=tmp_path) == f"{tmp_path}: must hold audiocaps_eval.json or clotho_eval.json"


def test_reads_an_archive(run_import: Import, tmp_path: Path) -> None:
    write_files(tmp_path, audiocaps=[SOUND])
    with zipfile.ZipFile(tmp_path / "fense.zip", "w") as archive:
        archive.write(tmp_path / "audiocaps_eval.json", "dataset/audiocaps_eval.json")

    found = run_import("fense", source=tmp_path / "fense.zip")

    assert [study.items for study in found.studies] == [5]
