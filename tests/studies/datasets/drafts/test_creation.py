"""Tests of drafts from files: each kind, roles and images; all or nothing."""

import pytest

from studies.collection.lifecycle import open_study
from studies.datasets.drafts.creation import draft_study
from studies.enums import StudyState, TaskKind, TaskRole
from studies.models import Candidate, CaptionSet, Dataset, Image, Item, Reference, Study, Task
from studies.shared.errors import ImportFailed
from tests.factories.open_studies import draw_picture
from tests.factories.studies import NOW, make_user

pytestmark = pytest.mark.django_db
DESIGN = 'question = "How good?"\nconsent = "I agree."\nscale = ["Bad", "Good"]\n'
RATING = "image,system,candidate\na,m1,A dog.\na,m2,A cat.\nb,m1,A tree.\n"


def _draft(folder, table, *, kind=TaskKind.RATING, design=DESIGN, images=("a.png", "b.jpg"), name="mine", **extra):
    (folder / "design.toml").write_text(design)
    (folder / "items.csv").write_text(table)
    (folder / "images").mkdir(exist_ok=True)
    for image in images:
        (folder / "images" / image).write_bytes(draw_picture())
    return draft_study(
        name,
        kind=kind,
        design_file=folder / "design.toml",
        item_file=folder / "items.csv",
        image_folder=folder / "images" if images else None,
        now=NOW,
        **extra,
    )


def test_ratings_are_a_task_each_and_the_study_can_be_opened(tmp_path) -> None:
    owner = make_user()

    draft = _draft(tmp_path, RATING, owner=owner, title="Mine")

    assert str(draft) == "study mine: 2 images, 3 tasks, 3 items, a draft"
    study = Study.objects.get()
    assert (study.title, study.owner, study.state, study.kind) == ("Mine", owner, StudyState.DRAFT, "rating")
    assert list(Item.objects.values_list("candidate__text", "candidate__system__name", "image__key", "key")) == [
        ("A dog.", "m1", "a", "line 2"),
        ("A cat.", "m2", "a", "line 3"),
        ("A tree.", "m1", "b", "line 4"),
    ]
    assert all(image.file for image in Image.objects.all())
    open_study(study, now=NOW)


def test_pairs_by_anchors_need_no_images(tmp_path) -> None:
    table = (
        "image,anchor,system,candidate,other_system,other_candidate,category\n"
        "a,A reference.,m1,One.,m2,Two.,MM\n"
        "a,Another.,m1,One.,m2,Two.,MM\n"
    )

    _draft(tmp_path, table, kind=TaskKind.PAIRWISE, images=())

    assert list(Item.objects.values_list("anchor__text", "candidate__text", "other_candidate__text", "category")) == [
        ("A reference.", "One.", "Two.", "MM"),
        ("Another.", "One.", "Two.", "MM"),
    ]
    assert (Candidate.objects.count(), Reference.objects.count()) == (2, 2)


def test_sets_of_an_image_are_one_task(tmp_path) -> None:
    table = "image,system,candidate\na,m1,One.\na,m1,Two.\na,m2,Three.\nb,m1,Four.\n"

    _draft(tmp_path, table, kind=TaskKind.SET_RATING)

    assert Task.objects.count() == 2
    assert [
        (item.image.key, item.caption_set.system.name, item.caption_set.candidates.count())
        for item in Item.objects.order_by("task", "position")
    ] == [("a", "m1", 2), ("a", "m2", 1), ("b", "m1", 1)]
    assert CaptionSet.objects.count() == 3


def test_best_and_worst_of_an_image_are_chosen_on_one_page(tmp_path) -> None:
    table = "image,system,candidate\na,m1,One.\na,m2,Two.\na,m3,Three.\n"

    _draft(tmp_path, table, kind=TaskKind.BEST_WORST)

    assert (Task.objects.count(), Item.objects.count()) == (1, 3)


def test_captions_are_written_for_images_alone(tmp_path) -> None:
    _draft(tmp_path, "image\na\nb\n", kind=TaskKind.CAPTION)

    assert list(Item.objects.values_list("image__key", "candidate")) == [("a", None), ("b", None)]


def test_rows_with_roles_are_tasks_apart(tmp_path) -> None:
    table = (
        "image,candidate,role,expected,feedback\n"
        "a,A dog.,training,2,It is a dog.\n"
        "a,A cat.,qualification,1 1.5..2,\n"
        "b,A tree.,attention,2,\n"
        "b,A bush.,main,,\n"
        "b,A shrub.,,,\n"
    )

    _draft(tmp_path, table)

    assert list(Item.objects.values_list("task__role", "expected", "feedback")) == [
        (TaskRole.TRAINING, [2.0], "It is a dog."),
        (TaskRole.QUALIFICATION, [1.0, [1.5, 2.0]], ""),
        (TaskRole.ATTENTION, [2.0], ""),
        (TaskRole.MAIN, None, ""),
        (TaskRole.MAIN, None, ""),
    ]


def test_kind_comes_from_the_preset(tmp_path) -> None:
    _draft(tmp_path, RATING, kind=None, design='preset = "coco-m2"\nconsent = "I agree."')

    assert Study.objects.get().kind == TaskKind.TURING


@pytest.mark.parametrize(
    ("table", "changes", "message"),
    [
        ("image,caption\na,x\n", {}, "an unknown column; the columns are image, system, candidate"),
        ("image,system\na,x\n", {}, "needs a column candidate for a study of the kind rating"),
        ("image,candidate\na,x\n", {"kind": TaskKind.PAIRWISE}, "needs a column other_candidate"),
        ("image,candidate\na,\n", {}, "line 2, field candidate: must not be empty"),
        ("image,candidate\n,x\n", {}, "line 2, field image: must not be empty"),
        ("image,candidate\nc,x\n", {}, "line 2, field image: must be a file in .*, got 'c'"),
        ("image,candidate\n../design.toml,x\n", {"images": ("a.png",)}, "field image: must be a file in"),
        ("image,candidate\na,x\n", {"images": ()}, "field anchor: must be given if there are no images"),
        ("image,candidate,role\na,x,exam\n", {}, "field role: must be one of main, training"),
        ("image,candidate,role\na,x,attention\n", {}, "field expected: must give the correct answer"),
        ("image,candidate,expected\na,x,1\n", {}, "field expected: must be empty in a main task"),
        ("image,candidate,role,expected\na,x,gold,good\n", {}, "must be numbers separated by spaces, or low..high"),
        ("image,candidate,role,expected\na,x,gold,nan\n", {}, "must be numbers separated by spaces, or low..high"),
        ("image,candidate,role,expected\na,x,gold,4..2\n", {}, "must be numbers separated by spaces, or low..high"),
        (RATING, {"kind": None}, "--kind: must give the kind of task"),
        (RATING, {"design": "question = 1"}, "field question: must be text"),
        (RATING, {"name": "not a slug"}, "must be 1 to 90 letters"),
    ],
)
def test_what_is_wrong_is_named_and_nothing_is_left(tmp_path, table, changes, message) -> None:
    with pytest.raises(ImportFailed, match=message):
        _draft(tmp_path, table, **changes)

    assert [model.objects.count() for model in (Study, Dataset, Image, Candidate, Task)] == [0] * 5


def test_taken_name_is_refused(tmp_path) -> None:
    _draft(tmp_path, RATING)

    with pytest.raises(ImportFailed, match="must not be the name of an existing study or dataset"):
        _draft(tmp_path, RATING)
