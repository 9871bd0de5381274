"""Worlds with captions in the original's layout: what is judged, what are references, and what is refused."""

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image as Picture

from captioning.worlds.files.world_files import write_worlds
from captioning.worlds.rendering import render_world
from metrics_plugins.api import Input, Level
from studies.analysis.reports import correlate_study
from studies.enums import StudyState, TaskKind
from studies.models import Candidate, Dataset, Image, Judgment, Rater, Reference, Study, System
from studies.scoring.inputs import build_rows
from studies.scoring.references import ReferenceSelection
from studies.scoring.study_scoring import score_study
from tests.factories.studies import NOW
from tests.studies.datasets.importing.conftest import Import, Refuse
from tests.studies.known_worlds import BAD, REFERENCES, WORLDS, format_groups, write_folder

SYSTEMS = ("good.txt", "worse=bad.txt")


@pytest.fixture(autouse=True)
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_folder(tmp_path / "worlds")


def test_captions_of_systems_are_judged_by_truth(run_import: Import, folder: Path) -> None:
    found = run_import("shapeworld", source=folder, study="truth", system=SYSTEMS)

    assert str(found).splitlines()[:2] == [
        "study truth (gtd-truth@1): 6 rows read; 3 images, 6 references, 6 candidates, 6 items, 1 rater, 6 judgments",
        "note: judged by the computed judge 'world': 3 true, 0 ambiguous, 2 false, 1 ungrammatical",
    ]
    study = Study.objects.get()
    assert (study.kind, study.state, study.is_computed) == (TaskKind.RATING, StudyState.CLOSED, True)
    judged = Judgment.objects.values_list("item__candidate__system__name", "item__image__key", "value", "answer__truth")
    assert list(judged.order_by("pk")) == [
        ("good", "world-0", 1.0, 1),
        ("worse", "world-0", 0.0, -1),
        ("good", "world-1", 1.0, 1),
        ("worse", "world-1", 0.0, -1),
        ("good", "world-2", 1.0, 1),
        ("worse", "world-2", 0.0, None),
    ]
    rater = Rater.objects.get()
    assert (rater.pseudonym, rater.is_placeholder) == ("world", True)
    assert all(answer["computed"] for answer in Judgment.objects.values_list("answer", flat=True))


def test_images_have_worlds_files_and_references(run_import: Import, folder: Path) -> None:
    run_import("shapeworld", source=folder, system=SYSTEMS, profile="H")

    assert Dataset.objects.get().world_profile == "H"
    images = list(Image.objects.all())
    assert [image.world for image in images] == json.loads((folder / "world_model.json").read_text())
    for image, world in zip(images, WORLDS, strict=True):
        with Picture.open(image.file.path) as picture:
            np.testing.assert_array_equal(np.asarray(picture), render_world(world))
    texts = Reference.objects.order_by("image", "position").values_list("text", flat=True)
    assert list(texts) == [text for own in REFERENCES for text in own]


def test_given_images_are_kept(run_import: Import, folder: Path) -> None:
    red = Picture.new("RGB", (8, 8), "red")
    red.save(folder / "world-0.png")
    red.save(folder / "world-1.bmp")

    run_import("shapeworld", source=folder, system=SYSTEMS)

    sizes = []
    for image in Image.objects.all():
        with Picture.open(image.file.path) as picture:
            sizes.append((picture.format, picture.size))
    assert sizes == [("PNG", (8, 8)), ("PNG", (8, 8)), ("PNG", (64, 64))]


def test_without_systems_the_captions_themselves_are_judged(run_import: Import, tmp_path: Path) -> None:
    captions = (
        ("a square is red .", "a square is blue .", "a square is red ."),
        ("a shape is blue .",) * 3,
        REFERENCES[2],
    )
    folder = write_folder(tmp_path / "worlds", captions=captions)

    found = run_import("shapeworld", source=folder)

    study = Study.objects.get(name="shapeworld")
    assert study.protocol.startswith("gtd-truth@1|rows:all|refs:exclude-candidate-per-row|")
    assert list(Judgment.objects.order_by("pk").values_list("value", flat=True)) == [1, 0, 1, 1, 1, 1, 1, 1]
    # References are the true captions, each text once.
    assert list(Reference.objects.order_by("image", "position").values_list("text", flat=True)) == [
        "a square is red .",
        "a shape is blue .",
        *REFERENCES[2],
    ]
    assert not any("compared with themselves" in note for note in found.notes)


def test_at_most_ten_references(run_import: Import, tmp_path: Path) -> None:
    many = tuple(f"at least {word} shapes are red ." for word in ("zero",) * 3) + tuple(
        f"{modifier} {number} shapes are green ."
        for modifier in ("less than", "at most")
        for number in ("two", "three", "four", "five", "zero")
    )
    run_import("shapeworld", source=write_folder(tmp_path / "worlds", captions=(many, *REFERENCES[1:])), system=SYSTEMS)

    assert Reference.objects.filter(image__key="world-0").count() == 10


def test_folders_of_folders_are_parts(run_import: Import, tmp_path: Path) -> None:
    write_folder(tmp_path / "sets" / "one")
    write_folder(tmp_path / "sets" / "two" / "shard0")

    found = run_import("shapeworld", source=tmp_path / "sets", system=("*.txt",))

    assert found.studies[0].items == (3 + 3) + (3 + 3)
    keys = Image.objects.values_list("key", flat=True)
    assert [*keys][:4] == ["one-world-0", "one-world-1", "one-world-2", "two-shard0-world-0"]
    names = Candidate.objects.filter(image__key="two-shard0-world-0").values_list("system__name", flat=True)
    assert sorted(set(names)) == ["bad", "good"]


def test_files_of_the_layout_are_systems_only_by_name(run_import: Import, folder: Path) -> None:
    for name in ("alternatives.txt", "caption_rpn.txt"):
        (folder / name).write_text((folder / "good.txt").read_text())
    (folder / "agreement.txt").write_text("1.0;1.0\n" * 3)

    run_import("shapeworld", source=folder, study="matched", system=("*.txt",))
    run_import("shapeworld", source=folder, study="named", system=("*.txt", "people=caption.txt"))

    systems = [
        set(System.objects.filter(dataset__name=name).values_list("name", flat=True)) for name in ("matched", "named")
    ]
    assert systems == [{"bad", "good"}, {"bad", "good", "people"}]


def test_a_system_without_a_file_in_a_part_is_refused(refuse: Refuse, tmp_path: Path) -> None:
    for part in ("easy", "hard"):
        write_folder(tmp_path / "sets" / part)
    (tmp_path / "sets" / "hard" / "bad.txt").unlink()

    message = refuse("shapeworld", source=tmp_path / "sets", system=SYSTEMS)

    assert message == "--system: must name a file of 'worse' in the folder of each part, got none in hard"


def test_a_second_file_of_a_system_whose_first_is_empty_is_refused(refuse: Refuse, folder: Path) -> None:
    write_worlds(folder / "world_model.json", WORLDS[:1])
    for name, captions in (("caption", REFERENCES), ("good", ()), ("bad", BAD)):
        (folder / f"{name}.txt").write_text(format_groups(captions[:1]))

    message = refuse("shapeworld", source=folder, system=("good.txt", "good=bad.txt"))

    assert message == "--system: must give each system one file, got 'good'"


@pytest.mark.parametrize(
    ("paths", "message"),
    [
        (("near", "a/b/c/d/e"), "a/b/c/d/e: must be at most 4 folders deep, got 5"),
        (("a-b/c", "a/b-c"), "a-b/c: must differ from the folder a/b-c in the name of the part, got 'a-b-c'"),
    ],
)
def test_folders_that_are_no_parts_of_their_own_are_refused(
    refuse: Refuse, tmp_path: Path, paths: tuple[str, ...], message: str
) -> None:
    for path in paths:
        write_folder(tmp_path / "sets" / path)

    assert refuse("shapeworld", source=tmp_path / "sets", system=SYSTEMS) == message


def test_published_labels_are_compared(run_import: Import, data_folder: Path) -> None:
    found = run_import("shapeworld", source=data_folder / "shapeworld" / "existential-full")

    assert "note: agreement.txt: 100 of 100 labels equal the computed truth" in str(found).splitlines()
    assert Image.objects.exclude(file="").count() == 20


def test_metrics_read_worlds_and_agree_with_truth(run_import: Import, folder: Path) -> None:
    run_import("shapeworld", source=folder, study="truth", system=SYSTEMS)
    study = Study.objects.get()

    rows = build_rows(study.dataset, level=Level.SEGMENT, selection=ReferenceSelection("all"))
    assert Input.WORLD in rows.available_inputs
    assert [world.evaluate_caption("a shape is red .") for world in rows.make_batch([0, 2]).worlds] == [1, -1]
    report = score_study(study, now=lambda: NOW, metrics=["gtd-truthful", "gtd-grammatical", "bleu-1"])
    assert report.failures == ()
    found = correlate_study(study)

    values = {(row.metric, row.level, row.coefficient): row.value for row in found.rows}
    assert values["gtd-truthful", "item", "auc"] == 1.0
    assert values["gtd-truthful", "item", "point-biserial"] == pytest.approx(1.0)
    assert values["gtd-truthful", "system", "pearson"] == pytest.approx(1.0)
    # One of three false captions is ungrammatical: (3 * 1 + 3 * 2 * 0.5) / 9.
    assert values["gtd-grammatical", "item", "auc"] == pytest.approx((3 + 3) / 9)


def test_profile_and_worlds_decide_what_is_scored_again(run_import: Import, folder: Path) -> None:
    digests = set()
    for name, profile in (("first", "S"), ("second", "H")):
        run_import("shapeworld", source=folder, study=name, system=SYSTEMS, profile=profile)
        dataset = Dataset.objects.get(name=name)
        digests.add(build_rows(dataset, level=Level.SEGMENT, selection=ReferenceSelection("all")).worlds.digest)

    assert len(digests) == 2


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda f: (f / "world_model.json").unlink(), "must contain world_model.json, or folders that contain it"),
        (lambda f: (f / "caption.txt").unlink(), "caption.txt: is not in the folder"),
        (lambda f: (f / "world_model.json").write_text("[]"), "world_model.json: must have a world, got none"),
        (
            lambda f: (f / "world_model.json").write_text('[{"size": 64, "color": {"name": "pink"}, "entities": []}]'),
            "world_model.json: world 0: color.name must be one of black, white,",
        ),
        (
            lambda f: (f / "caption.txt").write_text(format_groups(REFERENCES[:2])),
            "caption.txt: must have captions for each of the 3 worlds",
        ),
        (
            lambda f: (f / "good.txt").write_text("a square is red .\n"),
            "good.txt: must have captions for each of the 3 worlds",
        ),
        (lambda f: (f / "agreement.txt").write_text("1.0\n"), "agreement.txt: must have a label for each caption"),
        (lambda f: (f / "world-1.bmp").write_bytes(b"no image"), "world-1.bmp: must be an image in BMP format"),
        (lambda f: (f / "world-2.png").write_bytes(b"\x89PNG\r\n\x1a\n no"), "world-2.png: "),
    ],
)
def test_damaged_files_are_refused_with_nothing_left(refuse, folder, settings, damage, message) -> None:
    damage(folder)

    assert message in refuse("shapeworld", source=folder, system=SYSTEMS)
    assert not any(path.is_file() for path in Path(settings.MEDIA_ROOT).rglob("*"))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"profile": "X"}, "--profile: must be one of S, H, got 'X'"),
        ({"system": ("worst.txt",)}, "--system: must name a file of captions in the folder, got 'worst.txt'"),
        ({"system": ("good.txt", "good=bad.txt")}, "--system: must give each system one file, got 'good'"),
        ({"scale": "0,1"}, "--scale: is not an option of the format shapeworld"),
    ],
)
def test_wrong_options_are_refused(refuse: Refuse, folder: Path, options: dict[str, object], message: str) -> None:
    assert message in refuse("shapeworld", source=folder, **options)
