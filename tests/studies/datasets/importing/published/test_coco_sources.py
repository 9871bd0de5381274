"""Tests of finding annotations and results."""

import json
import zipfile
from pathlib import Path

from studies.models import System
from tests.studies.datasets.importing.conftest import Import, Refuse
from tests.studies.datasets.importing.published.test_coco import ANNOTATIONS, RESULTS, write

MINE = "captions_val2014_mine_results.json"
TEST = "captions_test2014_mine_results.json"


def write_zip(path: Path, *names: str) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in names:
            archive.writestr(name, json.dumps(RESULTS if name.endswith("_results.json") else ANNOTATIONS))
    return path


def test_reads_the_servers_zip(run_import: Import, tmp_path: Path) -> None:
    archive = write_zip(tmp_path / "results.zip", MINE, TEST)
    annotations = write(tmp_path / "captions_val2014.json", ANNOTATIONS)

    result = run_import("coco", source=archive, annotations=str(annotations))
    assert result.left_out == (f"{TEST} (another split than captions_val2014.json)",)
    assert str(result).split("\n")[1] == f"left out: {TEST} (another split than captions_val2014.json)"
    assert System.objects.get().name == "mine"


def test_reads_annotations_in_an_archive(run_import: Import, tmp_path: Path) -> None:
    results = write(tmp_path / MINE, RESULTS)
    one = write_zip(tmp_path / "one.zip", "annotations/captions_val2014.json")
    two = write_zip(tmp_path / "two.jar", "annotations/captions_val2014.json", "annotations/captions_train2014.json")

    choices = (f"{one}", f"{two}!captions_val2014.json", f"{two}!annotations/captions_train2014.json")
    for number, choice in enumerate(choices):
        run_import("coco", source=results, annotations=choice, study=f"study-{number}")
    assert System.objects.count() == 3


def test_says_which_members_an_ambiguous_jar_has(refuse: Refuse, data_folder: Path, spice_jar: Path) -> None:
    source = data_folder / "coco" / "captions_val2014_fakecap_results.json"
    members = "coco/annotations/captions_train2014.json, coco/annotations/captions_val2014.json"

    assert refuse("coco", source=source, annotations=str(spice_jar)) == (
        f"spice-1.0.jar: must hold one file captions_*.json, or choose one with {spice_jar}!MEMBER, got {members}"
    )
    assert refuse("coco", source=source, annotations=f"{spice_jar}!captions.json") == (
        f"spice-1.0.jar!captions.json: is not a member; the members are: {members}, example_input.json"
    )


def test_says_how_to_name_annotations(refuse: Refuse, tmp_path: Path) -> None:
    results = write(tmp_path / MINE, RESULTS)

    assert refuse("coco", source=tmp_path) == (
        f"{tmp_path.name}: must hold one file captions_*.json, or choose one with --annotations PATH, got none"
    )
    assert refuse("coco", source=results) == (
        "--annotations: must name the annotation file, because the source is a file of results"
    )


def test_says_that_there_are_no_results(refuse: Refuse, tmp_path: Path) -> None:
    write(tmp_path / "captions_val2014.json", ANNOTATIONS)
    write(tmp_path / TEST, RESULTS)

    assert refuse("coco", source=tmp_path) == (
        f"{tmp_path.name}: must hold files *_results.json of split val2014, got {TEST}"
    )


def test_takes_the_results_that_are_named(run_import: Import, tmp_path: Path) -> None:
    write(tmp_path / "captions_val2014.json", ANNOTATIONS)
    write(tmp_path / MINE, RESULTS)
    other = write(tmp_path / "my model.json", RESULTS)

    run_import("coco", source=tmp_path, results=(other,))
    assert System.objects.get().name == "my model"


def test_refuses_a_zip_that_leads_out(refuse: Refuse, tmp_path: Path) -> None:
    annotations = write(tmp_path / "captions_val2014.json", ANNOTATIONS)
    archive = write_zip(tmp_path / "results.zip", MINE, "../captions_val2014_evil_results.json")

    assert refuse("coco", source=archive, annotations=str(annotations)) == (
        "results.zip: may only have names inside its own folder, without '..', got "
        "'../captions_val2014_evil_results.json'"
    )


def test_refuses_a_zip_bomb(refuse: Refuse, tmp_path: Path) -> None:
    annotations = write(tmp_path / "captions_val2014.json", ANNOTATIONS)
    with zipfile.ZipFile(tmp_path / "results.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(MINE, b"[" + b" " * (64 << 20) + b"]")

    message = refuse("coco", source=tmp_path / "results.zip", annotations=str(annotations))
    assert message.startswith("results.zip: may decompress to at most 100 times its size (")
