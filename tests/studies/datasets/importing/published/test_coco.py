"""Tests of COCO results with references; counts are those of shared/data/coco/README.md."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from studies.datasets.importing.results import StudyCounts
from studies.enums import StudyState, TaskKind
from studies.models import Candidate, Dataset, Image, Reference, Study, System
from tests.studies.datasets.importing.conftest import Import, Refuse

VAL = "coco/annotations/captions_val2014.json"
ANNOTATIONS = {
    "images": [{"id": 1}, {"id": 2}, {"id": 3}],
    "annotations": [
        {"image_id": 1, "caption": "One.\n"},
        {"image_id": 2, "caption": "Two\u2028lines."},
        {"image_id": 1, "caption": "A one."},
        {"image_id": 3, "caption": "Three."},
    ],
}
RESULTS = [{"image_id": 2, "caption": "two"}, {"image_id": 1, "caption": ""}]


def write(path: Path, data: Any) -> Path:
    path.write_text(json.dumps(data))
    return path


@pytest.fixture
def coco(tmp_path: Path) -> Path:
    """A folder with an annotation file and the results of one system."""
    write(tmp_path / "captions_val2014.json", ANNOTATIONS)
    write(tmp_path / "captions_val2014_mine_results.json", RESULTS)
    return tmp_path


def _count(n_images: int, n_references: int) -> StudyCounts:
    return StudyCounts("coco", "coco-2015@1", n_images, n_images, n_references, n_images, 0, 0, 0)


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("captions_val2014_fakecap_results.json", _count(1_000, 5_005)),
        ("captions_val2014_googlstm_results.json.gz", _count(40_504, 202_654)),
    ],
)
def test_imports_published_results(
    run_import: Import, data_folder: Path, spice_jar: Path, name: str, counts: StudyCounts
) -> None:
    result = run_import("coco", source=data_folder / "coco" / name, annotations=f"{spice_jar}!{VAL}")

    assert result.studies == (counts,)
    assert System.objects.get().name == name.split("_")[2]


def test_writes_only_images_that_have_results(run_import: Import, coco: Path) -> None:
    run_import("coco", source=coco)

    study = Study.objects.get()
    assert (study.kind, study.state, study.protocol) == (TaskKind.RATING, StudyState.CLOSED, "coco-2015@1")
    assert list(Candidate.objects.values_list("key", "image__key", "system__name", "text")) == [
        ("mine:2", "2", "mine", "two"),
        ("mine:1", "1", "mine", ""),
    ]
    assert list(Reference.objects.order_by("image__key", "position").values_list("image__key", "text")) == [
        ("1", "One.\n"),
        ("1", "A one."),
        ("2", "Two\u2028lines."),
    ]
    assert len(Dataset.objects.get().source_digest) == 64


def test_imports_several_systems(run_import: Import, coco: Path) -> None:
    write(coco / "captions_val2014_other-model_results.json", RESULTS[::-1])

    run_import("coco", source=coco)
    assert list(System.objects.values_list("name", flat=True)) == ["mine", "other-model"]
    assert (Image.objects.count(), Candidate.objects.count()) == (2, 4)


def test_refuses_systems_on_different_images(refuse: Refuse, coco: Path) -> None:
    write(coco / "captions_val2014_other_results.json", [*RESULTS[:1], {"image_id": 3, "caption": "three"}])

    assert refuse("coco", source=coco) == (
        "captions_val2014_other_results.json: must cover the same images as captions_val2014_mine_results.json; import "
        "them as two studies, each with --results and --study, got 1 images that are missing there, and 1 missing here"
    )


def test_refuses_two_files_of_one_system(refuse: Refuse, coco: Path) -> None:
    results = write(coco / "mine.json", RESULTS)

    assert refuse("coco", source=coco, results=(coco / "captions_val2014_mine_results.json", results)) == (
        "--results: must be files of different systems, got captions_val2014_mine_results.json, mine.json"
    )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda results: results[1].update(image_id=2),
            "record 2, field image_id: already has a caption in record 1, got 2",
        ),
        (
            lambda results: results[1].update(image_id=7),
            "record 2, field image_id: must be an image with captions in captions_val2014.json, got 7",
        ),
        (lambda results: results[1].update(caption=None), "record 2, field caption: must be text, got None"),
        (lambda results: results[1].pop("caption"), "record 2, field caption: is missing, got only image_id"),
        (lambda results: results[1].update(image_id=1.5), "record 2, field image_id: must be text, got 1.5"),
        (lambda results: results.__setitem__(1, [1]), "record 2: must be an object with image_id, caption, got a list"),
    ],
    ids=["twice", "unknown", "null", "no caption", "fraction", "list"],
)
def test_refuses_bad_results(refuse: Refuse, coco: Path, change: Callable[[Any], None], message: str) -> None:
    results = json.loads(json.dumps(RESULTS))
    change(results)
    write(coco / "captions_val2014_mine_results.json", results)

    assert refuse("coco", source=coco) == f"captions_val2014_mine_results.json, {message}"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], "captions_val2014.json: must be an object with images, annotations, got a list"),
        ({"images": []}, "captions_val2014.json, field annotations: is missing, got only images"),
        (
            {"images": [{"id": 1}], "annotations": [{"image_id": 9, "caption": "x"}]},
            "captions_val2014.json, annotation 1, field image_id: must be an id in images, got 9",
        ),
        (
            {"images": [{"id": 1}], "annotations": [{"image_id": 1, "caption": 5}]},
            "captions_val2014.json, annotation 1, field caption: must be text, got 5",
        ),
    ],
)
def test_refuses_bad_annotations(refuse: Refuse, coco: Path, data: Any, message: str) -> None:
    write(coco / "captions_val2014.json", data)

    assert refuse("coco", source=coco) == message


@pytest.mark.parametrize(("keep", "location"), [(20, "line 1, column 17"), (-1, "line 1, column 72")])
def test_refuses_cut_results(refuse: Refuse, coco: Path, keep: int, location: str) -> None:
    path = coco / "captions_val2014_mine_results.json"
    path.write_bytes(path.read_bytes()[:keep])

    assert refuse("coco", source=coco).startswith("captions_val2014_mine_results.json, line 1, column ")
    assert refuse("coco", source=coco).endswith(": the JSON is truncated")
