"""Tests of folders of shards: complete or absent, resumed, and rejected if they contain something else."""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from captioning.cli import main
from captioning.worlds.contact_sheet import draw_contact_sheet
from captioning.worlds.errors import BadWorldFile
from captioning.worlds.files.world_files import parse_world
from captioning.worlds.instances import make_instance
from captioning.worlds.making import MadeFiles, iterate_records, make_files, read_shard
from captioning.worlds.rendering import render_world
from captioning.worlds.specs import SPECS, Spec

SPEC = SPECS["existential-oneshape"]


def _make(folder: Path, n_instances: int, spec: Spec = SPEC, **options: int) -> MadeFiles:
    with ThreadPoolExecutor(1) as executor:
        return make_files(
            spec, split="train", n_instances=n_instances, folder=folder, executor=executor, shard_size=10, **options
        )


def test_shards_hold_the_instances_and_captions_are_in_cocos_format(tmp_path: Path) -> None:
    told: list[int] = []

    made = _make(tmp_path, 25, n_captions=2, report=told.append)

    assert (made.n_written, made.n_kept, sum(told)) == (3, 0, 25)
    images, records = read_shard(tmp_path, split="train", number=2)
    expected = make_instance(SPEC, split="train", index=23, n_captions=2)
    assert images.shape == (5, 64, 64, 3)
    assert np.array_equal(images[3], render_world(expected.world))
    assert parse_world(records[3]["world"], source="record") == expected.world
    assert [each["text"] for each in records[3]["captions"]] == [each.text for each in expected.captions]
    assert [record["index"] for record in iterate_records(tmp_path, split="train")] == list(range(25))
    coco = json.loads(made.captions.read_text())
    assert (len(coco["images"]), len(coco["annotations"])) == (25, 50)
    assert coco["images"][23] == {"id": 23, "file_name": "train-00002.npz", "row": 3, "width": 64, "height": 64}
    assert coco["annotations"][46]["image_id"] == 23
    assert coco["annotations"][46]["caption"].endswith(".")


def test_a_stopped_run_goes_on_and_gives_the_same_bytes(tmp_path: Path) -> None:
    _make(tmp_path / "whole", 30)
    _make(tmp_path / "stopped", 30)
    lost = tmp_path / "stopped" / "train-00001.npz"
    lost.unlink()
    kept = (tmp_path / "stopped" / "train-00000.npz").stat().st_mtime_ns

    made = _make(tmp_path / "stopped", 30)

    assert (made.n_written, made.n_kept) == (1, 2)
    assert (tmp_path / "stopped" / "train-00000.npz").stat().st_mtime_ns == kept
    for path in sorted((tmp_path / "whole").iterdir()):
        assert (tmp_path / "stopped" / path.name).read_bytes() == path.read_bytes()
    assert _make(tmp_path / "stopped", 40).n_written == 1


def test_a_failed_write_leaves_no_unfinished_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(OSError, match="no space left"):
        _make(tmp_path, 10)

    assert list(tmp_path.iterdir()) == []


def test_a_folder_with_other_instances_is_refused(tmp_path: Path) -> None:
    _make(tmp_path, 10)

    with pytest.raises(
        BadWorldFile, match=r"train\.json: the folder holds other instances: correct_ratio is 1\.0 there"
    ):
        _make(tmp_path, 10, spec=replace(SPEC, correct_ratio=0.5))
    with pytest.raises(BadWorldFile, match="instances is 10 there, asked for 5"):
        _make(tmp_path, 5)


def test_make_as_a_command_with_processes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["worlds", "make", "spatial-twoshapes", "--split", "test", "--instances", "12", "--out", str(tmp_path)]

    assert main([*arguments, "--processes", "2"]) == 0

    assert capsys.readouterr().out == f"1 shards written, 0 were there; captions in {tmp_path}/captions_test.json\n"
    assert len(json.loads((tmp_path / "captions_test.json").read_text())["annotations"]) == 120


def test_original_layout_is_checked_as_right(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["worlds", "make", "logical-full", "--instances", "6", "--captions", "3", "--correct", "0.5"]

    assert main([*arguments, "--layout", "original", "--out", str(tmp_path)]) == 0
    capsys.readouterr()
    files = ["--worlds", str(tmp_path / "world_model.json"), "--captions", str(tmp_path / "caption.txt")]
    assert main(["worlds", "check", *files]) == 0

    assert capsys.readouterr().out == (tmp_path / "agreement.txt").read_text()
    assert (tmp_path / "alternatives.txt").read_text() == "3\n" * 6
    assert (tmp_path / "world-5.png").is_file()
    notation = (tmp_path / "caption_rpn.txt").read_text().splitlines()
    assert len(notation) == 6 * 4
    assert all(line.split()[-1].startswith("Proposition-") for line in notation if line)
    assert len(json.loads((tmp_path / "caption_model.json").read_text())) == 6


def test_captions_that_the_original_lacks_have_no_trees(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["worlds", "make", "relative-clauses", "--instances", "2", "--layout", "original"]

    assert main([*arguments, "--out", str(tmp_path)]) == 0

    assert "without caption_model.json and caption_rpn.txt" in capsys.readouterr().out
    assert (tmp_path / "caption.txt").is_file()
    assert not (tmp_path / "caption_rpn.txt").exists()


def test_contact_sheet_shows_images_and_words(tmp_path: Path) -> None:
    assert main(["worlds", "sheet", "coreference", "--images", "4", "--out", str(tmp_path / "sheet.png")]) == 0

    page = np.asarray(draw_contact_sheet(SPECS["coreference"], n_images=4))
    assert (tmp_path / "sheet.png").stat().st_size > 5_000
    # Green words say what is true, red ones what is false.
    for color in ((20, 102, 58), (163, 33, 27)):
        assert (page == color).all(axis=2).sum() > 100


def test_list_names_every_set(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["worlds", "list"]) == 0

    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == list(SPECS)


def test_unknown_set_and_wrong_number_are_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["worlds", "make", "blobs", "--instances", "1", "--out", str(tmp_path)]) == 2
    assert "error: no set is called 'blobs'" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["worlds", "make", "selection", "--instances", "0", "--out", str(tmp_path)])
    assert "must be a whole number from 1, got '0'" in capsys.readouterr().err
