"""Tests that items cannot change once their study has started, with the database of this test run."""

import pytest
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction
from django.db.models import CharField

from studies.collection.triggers.immutability import RULES, drop_triggers, install_triggers
from studies.enums import TaskKind
from studies.models import Candidate, Item, Preregistration, Reference, Study, Task
from tests.factories.open_studies import make_designed_study, make_open_study
from tests.factories.studies import NOW

pytestmark = pytest.mark.django_db
ENDING = "that has started cannot be added, changed or deleted; clone the study instead"


def _refuse(change, *args, **kwargs):
    with pytest.raises(IntegrityError) as caught, transaction.atomic():
        change(*args, **kwargs)
    return str(caught.value).splitlines()[0]


def _anchor(study):
    item = Item.objects.filter(task__study=study).first()
    reference = Reference.objects.get(image=item.image)
    Item.objects.filter(pk=item.pk).update(anchor=reference)
    return reference


@pytest.mark.parametrize(
    ("model", "thing"), [(Task, "a task of a study"), (Item, "an item of a study")], ids=["task", "item"]
)
def test_tasks_and_items_of_a_started_study_stay(model, thing) -> None:
    make_open_study()
    rows = model.objects.all()

    # `_raw_delete` is one DELETE statement: the rule is the database's and not Django's.
    assert _refuse(rows.update, position=9) == f"{thing} {ENDING}"
    assert _refuse(rows._raw_delete, rows.db) == f"{thing} {ENDING}"


def test_item_cannot_move_into_a_started_study() -> None:
    started, draft = make_open_study("started"), make_designed_study("draft")
    moved = Item.objects.filter(task__study=draft).first()

    message = _refuse(Item.objects.filter(pk=moved.pk).update, task=started.tasks.first(), position=5)

    assert message == f"an item of a study {ENDING}"


@pytest.mark.parametrize("kind", [TaskKind.RATING, TaskKind.PAIRWISE, TaskKind.SET_RATING])
def test_judged_captions_stay(kind) -> None:
    study = make_open_study(kind=kind)
    item = Item.objects.filter(task__study=study).select_related("candidate", "caption_set").first()
    caption = item.candidate or item.caption_set.candidates.first()

    message = _refuse(Candidate.objects.filter(pk=caption.pk).update, text="Another.")

    assert message == f"a caption judged in a study {ENDING}"


def test_caption_of_a_judged_set_cannot_be_deleted() -> None:
    study = make_open_study(kind=TaskKind.SET_RATING)
    caption = Candidate.objects.filter(dataset=study.dataset).first()

    assert _refuse(caption.delete) == f"a caption judged in a study {ENDING}"


@pytest.mark.parametrize("thing", ["task", "item", "caption"])
def test_nothing_is_added_to_a_started_study(thing) -> None:
    study = make_open_study(kind=TaskKind.SET_RATING)
    task, item = study.tasks.first(), Item.objects.first()
    add = {
        "task": lambda: Task.objects.create(study=study, position=99),
        "item": lambda: Item.objects.create(task=task, position=99, key="new", image=item.image),
        "caption": lambda: Candidate.objects.create(
            dataset=study.dataset,
            image=item.image,
            system=item.caption_set.system,
            caption_set=item.caption_set,
            key="new",
            text="One more.",
        ),
    }
    named = {"task": "a task of a study", "item": "an item of a study", "caption": "a caption set judged in a study"}

    assert _refuse(add[thing]) == f"{named[thing]} {ENDING}"


def test_anchor_references_cannot_change() -> None:
    study = make_designed_study(kind=TaskKind.PAIRWISE)
    reference = _anchor(study)
    type(study).objects.filter(pk=study.pk).update(state="open", started_at=study.created_at)

    message = _refuse(Reference.objects.filter(pk=reference.pk).update, text="Another.")

    assert message == f"a reference that anchors an item of a study {ENDING}"


def test_preregistration_stays_whatever_the_state_of_its_study() -> None:
    registered = Preregistration.objects.create(
        study=make_designed_study(), number=1, content="{}", digest="d", frozen_at=NOW
    )
    rows = Preregistration.objects.all()
    ending = "cannot be changed or deleted; preregistrations are permanent"

    assert _refuse(rows.update, content="{1}") == f"a preregistration {ending}"
    assert _refuse(rows._raw_delete, rows.db) == f"a preregistration {ending}"
    assert Preregistration.objects.get() == registered


def test_a_draft_can_change() -> None:
    study = make_designed_study(kind=TaskKind.PAIRWISE)
    reference = _anchor(study)

    assert Reference.objects.filter(pk=reference.pk).update(text="Another.") == 1
    assert Candidate.objects.update(text="Another.") == 18
    assert Item.objects.update(category="new") == 2
    assert Item.objects.all().delete()[0] == 2
    assert Task.objects.all().delete()[0] == 2


def test_what_raters_do_not_see_can_change() -> None:
    make_open_study()

    assert Candidate.objects.filter(text="Two logs and an animal.").update(text="Nobody judges this one.") == 2


def test_every_rule_has_its_triggers() -> None:
    names = {f"{rule.table}_refuses_{event}" for rule in RULES for event in map(str.lower, rule.events)}
    catalogue = {
        "sqlite": "SELECT name FROM sqlite_master WHERE type = 'trigger'",
        "postgresql": "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal",
    }
    with connection.cursor() as cursor:
        cursor.execute(catalogue[connection.vendor])
        installed = {name for (name,) in cursor.fetchall()}

    assert names <= installed


def test_migrating_puts_the_triggers_back() -> None:
    make_open_study()
    drop_triggers("default")
    Item.objects.update(category="changed while there are no triggers")

    call_command("migrate", verbosity=0)

    assert _refuse(Item.objects.update, category="new") == f"an item of a study {ENDING}"


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("_round", range(2))
def test_tables_can_be_emptied_between_tests(_round) -> None:
    study = make_open_study()

    assert _refuse(Item.objects.update, category="new") == f"an item of a study {ENDING}"
    assert list(Study.objects.all()) == [study]


def test_a_table_that_triggers_name_can_be_rebuilt(transactional_db) -> None:
    field = Study._meta.get_field("title")
    longer = CharField(max_length=300)
    longer.set_attributes_from_name("title")
    drop_triggers("default")

    with connection.schema_editor() as editor:
        editor.alter_field(Study, field, longer)
        editor.alter_field(Study, longer, field)
    install_triggers("default")

    make_open_study()
    assert _refuse(Item.objects.update, category="new") == f"an item of a study {ENDING}"
