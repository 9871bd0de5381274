"""Tests of checks of uploads: previews, all errors with their locations, and drafts from valid uploads."""

import json
from io import BytesIO

import pytest

from studies.access.audit import Actor
from studies.collection.lifecycle import open_study
from studies.datasets.drafts.checks import Preview, UploadHasFaults, make_draft
from studies.datasets.staged_uploads import load_staged
from studies.design.presets import PRESETS
from studies.enums import AuditAction, Interface, TaskKind
from studies.models import AuditEntry, Candidate, Image, Item, Reference, Study, StudyVersion, Task
from studies.shared.errors import ImportFailed
from tests.factories.studies import NOW, make_study, make_user
from tests.studies.datasets.importing.tables.test_reading import write_table
from tests.studies.uploads import (
    TABLE,
    list_faults,
    make_file,
    make_pictures,
    make_references,
    make_results,
    make_zip,
    stage,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def user():
    return make_user("researcher")


def _make(staged, user):
    return make_draft(staged, owner=user, actor=Actor(user, Interface.PAGE), now=NOW)


def test_preview_shows_first_rows_and_what_there_is(user) -> None:
    rows = "".join(f"a,m{number},Caption {number}.\n" for number in range(30))
    table = make_file("items.csv", f"image,system,candidate\n{rows}")

    staged = stage(user, items=[table], images=make_pictures("folder/a.png", "unused.png", "__MACOSX/._a.png"))

    preview = Preview.from_json(staged.checked)
    assert (preview.columns, len(preview.rows)) == (("image", "system", "candidate"), 5)
    assert preview.rows[1] == ("a", "m1", "Caption 1.")
    assert (preview.n_rows, preview.n_tasks, preview.n_images, preview.n_files, preview.n_unused) == (30, 30, 1, 2, 1)
    assert preview.faults == ()
    # All rows are of one image.
    assert [picture[:22] for picture in staged.checked["pictures"]] == ["data:image/jpeg;base64", *[""] * 4]
    assert Study.objects.count() == 0


def test_every_error_is_told_with_its_location(user) -> None:
    table = (
        "image,system,candidate,role,expected\n"
        "a,m1,A dog.,main,\n"
        ",m1,,boss,1\n"
        "a,m1,too,few\n"
        "c,m1,A cat.,main,3\n"
        "b,m1,A tree.,gold,high\n"
    )
    pictures = make_zip({"a.png": b"not a picture", "b.png": make_pictures("b.png").read()})

    staged = stage(user, items=[make_file("items.csv", table)], images=pictures)

    roles = "main, training, qualification, gold, attention"
    assert list_faults(staged) == [
        "items.csv | line 4 |  | must have 5 columns (image, system, candidate, role, expected) | 4",
        "items.csv | line 3 | image | must not be empty | ",
        f"items.csv | line 3 | role | must be one of {roles} | 'boss'",
        "items.csv | line 3 | candidate | must not be empty | ",
        "items.csv | line 5 | expected | must be empty in a main task, which has no correct answer | '3'",
        "items.csv | line 6 | expected | must be numbers separated by spaces, or low..high | 'high'",
        "images.zip | member a.png |  | must be an image: JPEG, PNG, WEBP, GIF, AVIF | something else",
        "images.zip | member b.png |  | must be an image: JPEG, PNG, WEBP, GIF, AVIF | something else",
    ]


def test_images_that_are_not_there_are_named_row_by_row(user) -> None:
    staged = stage(user, items=[make_file("items.csv", TABLE)], images=make_pictures("b.jpg"))

    preview = Preview.from_json(staged.checked)
    assert (preview.n_images, preview.n_files, preview.n_unused) == (2, 1, 0)
    assert list_faults(staged) == [
        "items.csv | line 2 | image | must be a file in images.zip | 'a'",
        "items.csv | line 3 | image | must be a file in images.zip | 'a'",
    ]


def test_draft_is_made_and_can_be_opened(user) -> None:
    staged = stage(user, items=[make_file("items.csv", TABLE)], images=make_pictures("a.png", "b.png"))

    draft = _make(staged, user)

    study = Study.objects.get()
    assert str(draft) == "study mine: 2 images, 3 tasks, 3 items, a draft"
    assert (study.title, study.owner, study.kind) == ("Mine", user, TaskKind.RATING)
    assert StudyVersion.objects.get().design == PRESETS["coco-m3"].design.to_json() | {
        "scale": [{"value": point.value, "label": point.label} for point in PRESETS["coco-m3"].design.scale]
    }
    assert [(image.key, image.file.size > 0) for image in Image.objects.all()] == [("a", True), ("b", True)]
    assert list(AuditEntry.objects.values_list("action", "actor_name", "interface")) == [
        (AuditAction.CREATED, "researcher", Interface.PAGE)
    ]
    assert load_staged(staged.token) is None
    StudyVersion.objects.update(design=StudyVersion.objects.get().design | {"consent": "I agree."})
    open_study(study, now=NOW)


def test_coco_results_and_references_become_rows_with_references(user) -> None:
    files = [
        make_file("captions_val2014_good_results.json", make_results({42: "A dog.", 7: "A cat."})),
        make_file("captions_val2014_poor_results.json", make_results({42: "A thing.", 7: "Something."})),
    ]
    captions = {42: ["Dog one.", "Dog two."], 7: ["Cat one."], 9: ["Never judged."]}
    names = {42: "COCO_val2014_000000000042.jpg", 7: "COCO_val2014_000000000007.jpg"}
    references = make_file("captions_val2014.json", make_references(captions, files=names.items()))

    staged = stage(user, items=files, references=references, images=make_pictures(*names.values()))
    preview = Preview.from_json(staged.checked)
    _make(staged, user)

    assert (preview.faults, preview.n_rows, preview.n_references) == ((), 4, 3)
    assert (preview.reference_columns, preview.reference_rows[0]) == (("image_id", "caption"), ("42", "Dog one."))
    assert list(Item.objects.order_by("task").values_list("image__key", "candidate__system__name", "key")) == [
        ("42", "good", "record 1"),
        ("7", "good", "record 2"),
        ("42", "poor", "record 1"),
        ("7", "poor", "record 2"),
    ]
    assert list(Reference.objects.values_list("image__key", "position", "text")) == [
        ("42", 0, "Dog one."),
        ("42", 1, "Dog two."),
        ("7", 0, "Cat one."),
    ]
    assert all(image.file for image in Image.objects.all())


REFERENCE_ROWS = [
    {"image": "a", "reference": "A dog runs."},
    {"image": "b", "reference": "A tall tree."},
    {"image": "a", "reference": "One dog."},
    {"image": "z", "reference": "Never judged."},
]
REFERENCE_LISTS = [
    {"image": "a", "reference": ["A dog runs.", "One dog."]},
    {"image": "b", "reference": ["A tall tree."]},
]


@pytest.mark.parametrize("rows", [REFERENCE_ROWS, REFERENCE_LISTS])
@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_references_come_from_a_table(user, tmp_path, rows, ending) -> None:
    if ending == "csv" and rows is REFERENCE_LISTS:
        rows = [{"image": "a", "reference_1": "A dog runs.", "reference_2": "One dog."}]
        rows += [{"image": "b", "reference_1": "A tall tree.", "reference_2": ""}]
    content = write_table(tmp_path / f"refs.{ending}", rows).read_bytes()
    pictures = make_pictures("a.png", "b.png")

    staged = stage(
        user,
        items=[make_file("items.csv", TABLE)],
        references=make_file(f"refs.{ending}", content),
        images=pictures,
    )
    preview = Preview.from_json(staged.checked)
    _make(staged, user)

    assert (preview.faults, preview.n_references, preview.n_unreferenced) == ((), 3, 0)
    assert (preview.reference_columns, len(preview.reference_rows)) == (tuple(rows[0]), len(rows))
    assert list(Reference.objects.values_list("image__key", "position", "text")) == [
        ("a", 0, "A dog runs."),
        ("a", 1, "One dog."),
        ("b", 0, "A tall tree."),
    ]


def test_faults_of_references_stand_with_those_of_items(user) -> None:
    references = make_file("refs.csv", "image,reference\na,\na,One dog.\n,Two.\na,b,c\n")

    staged = stage(
        user,
        items=[make_file("items.csv", TABLE)],
        references=references,
        images=make_pictures("a.png"),
    )

    preview = Preview.from_json(staged.checked)
    assert (preview.n_references, preview.n_unreferenced) == (1, 1)
    assert preview.reference_rows == (("a", ""), ("a", "One dog."), ("", "Two."))
    assert list_faults(staged) == [
        "refs.csv | line 5 |  | must have 2 columns (image, reference) | 3",
        "refs.csv | line 2 | reference | must not be empty | ",
        "refs.csv | line 4 | image | must not be empty | ",
        "items.csv | line 4 | image | must be a file in images.zip | 'b'",
    ]


@pytest.mark.parametrize(
    ("name", "content", "fault"),
    [
        (
            "refs.csv",
            "bild,text\na,b\n",
            "must have the columns image and reference (or several: reference_1, reference_2) | bild, text",
        ),
        ("refs.csv", "image,reference\n", "holds no rows | "),
        (
            "refs.txt",
            "a",
            "must be a table (.csv, .tsv, .jsonl, .parquet) or COCO caption annotations (.json); each may end in .gz"
            " | ",
        ),
    ],
)
def test_references_that_cannot_be_read_are_a_fault(user, name, content, fault) -> None:
    pictures = make_pictures("a.png", "b.png")

    staged = stage(user, items=[make_file("i.csv", TABLE)], references=make_file(name, content), images=pictures)

    assert list_faults(staged) == [f"{name} |  |  | {fault}"]


def test_preview_kept_before_references_had_one_is_read() -> None:
    old = {"columns": ["image"], "rows": [["a"]], "n_rows": 1, "faults": []}

    preview = Preview.from_json(old)

    assert (preview.columns, preview.rows, preview.reference_rows) == (("image",), (("a",),), ())


def test_every_error_of_a_coco_file_of_captions_is_told(user) -> None:
    captions = {
        "images": [{"id": 1}, {"file_name": "2.png"}, "three", {"id": 4, "file_name": ""}, {"id": 5}],
        "annotations": [
            {"image_id": 1, "caption": "A dog."},
            {"image_id": 1, "caption": 5},
            {"image_id": 5},
            {"image_id": 9, "caption": "Nowhere."},
            7,
        ],
    }
    items = [make_file("items.csv", "image,candidate\n1,A dog.\n")]

    staged = stage(
        user, items=items, images=make_pictures("1.png"), references=make_file("captions.json", json.dumps(captions))
    )

    assert list_faults(staged) == [
        "captions.json | image 2 | id | is missing | only file_name",
        "captions.json | image 3 |  | must be an object with id | text",
        "captions.json | annotation 2 | caption | must be text | 5",
        "captions.json | annotation 3 | caption | is missing | only image_id",
        "captions.json | annotation 4 | image_id | must be an id in images | 9",
        "captions.json | annotation 5 |  | must be an object with image_id, caption | a whole number",
        "captions.json | image 4 | file_name | must not be blank | ",
    ]
    preview = Preview.from_json(staged.checked)
    assert (preview.n_references, preview.reference_rows[0]) == (1, ("1", "A dog."))


def test_coco_results_of_two_systems_are_pairs(user) -> None:
    files = [
        make_file("good.json", make_results({1: "A dog.", 2: "A cat."})),
        make_file("poor.json", make_results({2: "Something.", 1: "A thing."})),
    ]
    staged = stage(user, items=files, images=make_pictures("1.png", "2.png"), start="preset:coco-m1")

    _make(staged, user)

    pairs = Item.objects.order_by("task").values_list("candidate__text", "other_candidate__text")
    assert list(pairs) == [("A dog.", "A thing."), ("A cat.", "Something.")]


def test_faults_of_results_name_their_own_fields(user) -> None:
    files = [
        make_file("good.json", '[{"image_id": 1, "caption": 3}, {"image_id": 2}, {"image_id": 3, "caption": "x"}]'),
        make_file("poor.json", '[{"image_id": 1, "caption": "A dog."}, {"image_id": 4, "caption": "y"}]'),
    ]

    staged = stage(user, items=files, start="kind:pairwise", images=make_pictures("1.png"))

    assert list_faults(staged) == [
        "good.json | record 2 | caption | is missing | only image_id",
        "good.json | record 3 | image_id | must also have a caption in poor.json | 3",
        "poor.json | record 2 | image_id | must also have a caption in good.json | 4",
        "good.json | record 1 | caption | must be text | 3",
    ]


def test_anchor_that_is_a_reference_is_not_kept_twice(user) -> None:
    table = "image,anchor,candidate,other_candidate\n1,One.,A.,B.\n1,Two.,A.,B.\n"
    references = make_file("refs.json", make_references({1: ["One.", "One."]}))

    _make(stage(user, items=[make_file("i.csv", table)], references=references, start="kind:pairwise"), user)

    assert StudyVersion.objects.get().design["question"] == PRESETS["pascal-50s"].design.question
    assert list(Reference.objects.values_list("position", "text")) == [(0, "One."), (1, "One."), (2, "Two.")]
    assert list(Item.objects.order_by("task").values_list("anchor__position", flat=True)) == [0, 2]


def test_parquet_is_read(user, tmp_path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    buffer = BytesIO()
    pq.write_table(pa.table({"image": ["a"], "candidate": ["A dog."]}), buffer)

    staged = stage(user, items=[make_file("items.parquet", buffer.getvalue())], images=make_pictures("a.png"))

    assert list_faults(staged) == []


def test_text_with_html_stays_text(user) -> None:
    hostile = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>"
    table = f'image,candidate\na,"{hostile.replace(chr(34), chr(34) * 2)}"\n'

    _make(stage(user, items=[make_file("items.csv", table)], images=make_pictures("a.png")), user)

    assert Candidate.objects.get().text == hostile


@pytest.mark.parametrize(
    ("name", "content", "fault"),
    [
        (
            "items.csv",
            "image,candidate\na,Caf\xe9.\n".encode("latin-1"),
            "line 2 |  | must be valid UTF-8 | the byte 0xe9",
        ),
        ("items.csv", "image,candidate\na,x\n".encode("utf-16"), "line 1 |  | must be valid UTF-8 | the byte 0xff"),
        (
            "items.csv",
            b"image,candidate\na,x\x00y\n",
            "line 2 | candidate | must not contain the character NUL | 'x\\x00y'",
        ),
        ("items.csv", b"", "line 1 |  | must hold the names of the columns | "),
        ("items.csv", b"image,candidate\n", " |  | holds no rows | "),
        ("items.csv", b"bild,text\na,b\n", None),
        ("items.xlsx", b"PK\x03\x04", " |  | must end in .csv, .tsv, .jsonl, .parquet (or one of these and .gz) | "),
        ("items.jsonl", b'{"image": "a"\n', "line 1, column 14 |  | the JSON is truncated | "),
        ("items.parquet", b"PAR1 no", None),
        ("items.csv.gz", b"no gzip", None),
    ],
)
def test_items_that_cannot_be_read_are_a_fault_and_no_crash(user, name, content, fault) -> None:
    faults = list_faults(stage(user, items=[make_file(name, content)]))

    assert len(faults) >= 1
    assert fault is None or f"{name} | {fault}" in faults


def test_invalid_name_and_files_that_do_not_go_together_are_faults(user) -> None:
    staged = stage(user, items=[make_file("a.csv", TABLE), make_file("b.json", "[]")], name="new")

    assert list_faults(staged) == [
        "the name |  |  | must not be the name of a page | 'new'",
        "the items |  |  | must be one table, or COCO results (.json), one file per system | a.csv, b.json",
    ]


def test_upload_with_faults_makes_nothing(user) -> None:
    staged = stage(user, items=[make_file("items.csv", TABLE)])

    with pytest.raises(UploadHasFaults):
        _make(staged, user)

    assert (Study.objects.count(), Task.objects.count(), Image.objects.count()) == (0, 0, 0)
    assert load_staged(staged.token) is not None


def test_name_taken_while_pictures_are_stored_leaves_no_file_behind(user, settings) -> None:
    staged = stage(user, items=[make_file("items.csv", TABLE)], images=make_pictures("a.png", "b.png"))
    told: list[str] = []

    def watch(message: str, *_: int) -> None:
        if told and told[-1] == "Creating the study.":
            make_study("mine")
        told.append(message)

    with pytest.raises(ImportFailed, match="must not be the name of an existing study"):
        make_draft(staged, owner=user, actor=Actor(user, Interface.PAGE), now=NOW, watch=watch)

    assert Study.objects.count() == 1
    assert not list(settings.MEDIA_ROOT.rglob("*.png")) if settings.MEDIA_ROOT.exists() else True


def test_a_packed_table_is_refused_before_it_is_unpacked(user, tmp_path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    # One value that is packed once stands for two million rows.
    caption = pa.DictionaryArray.from_arrays(pa.array([0] * 2_000_000, pa.int32()), pa.array(["A dog. " * 10]))
    pq.write_table(pa.table({"image": caption, "candidate": caption}), tmp_path / "items.parquet")
    content = (tmp_path / "items.parquet").read_bytes()

    staged = stage(user, items=[make_file("items.parquet", content)])

    rule = "may hold at most 50,000 rows of an upload; ask the operator for a higher limit"
    assert len(content) < 100_000
    assert list_faults(staged) == [f"items.parquet |  |  | {rule} | 2,000,000 or more"]


def test_pixels_are_counted_in_all_pictures_together(user, monkeypatch) -> None:
    # Each picture has 480 x 320.
    monkeypatch.setattr("studies.datasets.drafts.images.MOST_PIXELS_IN_ALL", 2 * 480 * 320)

    fits = stage(user, items=[make_file("items.csv", TABLE)], images=make_pictures("a.png", "b.png"))
    many = stage(user, items=[make_file("items.csv", TABLE)], images=make_pictures("a.png", "b.png", "c.png", "d.png"))

    assert list_faults(fits) == []
    assert list_faults(many) == [
        "images.zip |  |  | may have at most 307,200 pixels in all images together | 460,800 or more"
    ]


def test_more_rows_than_an_upload_may_have_are_refused(user, settings) -> None:
    settings.ACCORDANCE_UPLOAD_ROWS = 20
    table = "image,candidate\n" + "a,x\n" * 21

    staged = stage(user, items=[make_file("items.csv", table)], images=make_pictures("a.png"))

    rule = "may hold at most 20 rows of an upload; ask the operator for a higher limit"
    assert list_faults(staged) == [f"items.csv |  |  | {rule} | 21 or more"]


def test_more_pairs_than_an_upload_may_have_are_refused(user, settings) -> None:
    settings.ACCORDANCE_UPLOAD_ROWS = 5
    table = "image,system,candidate\n" + "".join(f"a,m{number},x\n" for number in range(4))
    files = {"items": [make_file("items.csv", table)], "images": make_pictures("a.png")}

    every = stage(user, **files, start="preset:coco-m1")
    files = {"items": [make_file("items.csv", table)], "images": make_pictures("a.png")}
    drawn = stage(user, **files, start="preset:coco-m1", pairs_per_image="5")

    rule = "may make at most 5 pairs: choose a number of pairs per image"
    assert list_faults(every) == [f"items.csv |  |  | {rule} | 6"]
    assert list_faults(drawn) == []


def test_results_of_three_systems_become_pairs(user) -> None:
    items = [make_file(f"m{number}.json", make_results({1: f"By {number}."})) for number in range(3)]

    staged = stage(user, items=items, images=make_pictures("1.png"), start="preset:coco-m1")

    preview = Preview.from_json(staged.checked)
    assert list_faults(staged) == []
    assert (preview.pairs.n_pairs, preview.pairs.n_systems, preview.uses) == (3, 3, ())


def test_table_of_one_system_makes_no_pairs(user) -> None:
    items = [make_file("items.csv", "image,system,candidate\na,m1,x\n")]

    staged = stage(user, items=items, images=make_pictures("a.png"), start="preset:coco-m1")

    rule = "needs a column other_candidate, or captions of two systems for an image, of which pairs are made"
    assert list_faults(staged) == [f"items.csv |  |  | {rule} | "]


def test_rows_without_a_system_are_counted_if_there_is_a_column_of_systems(user) -> None:
    named = "image,system,candidate\na,m1,A dog.\na,,A cat.\nb,  ,A tree.\n"
    without = "image,candidate\na,A dog.\nb,A tree.\n"

    found = [
        Preview.from_json(stage(user, items=[make_file("items.csv", table)]).checked).n_nameless
        for table in (named, without)
    ]

    assert found == [2, 0]
