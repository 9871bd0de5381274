"""Tests of single judgments and exclusions, for one study and its main tasks."""

import pytest

from studies.enums import TaskRole
from studies.models import Exclusion
from studies.publishing.judgments import list_exclusions, list_judgments
from tests.factories.studies import NOW, make_judgment, make_rater, make_study
from tests.studies.scored import list_items

pytestmark = pytest.mark.django_db


def test_judgments_of_main_tasks_alone(django_assert_num_queries):
    study, other = make_study(n_tasks=3), make_study("other")
    first, second, gold = list_items(study)
    gold.task.role = TaskRole.GOLD
    gold.task.save()
    rater = make_rater(study)
    for item, value in ((first, 1), (second, 2), (gold, 4)):
        make_judgment(item, rater, value)
    make_judgment(list_items(other)[0], make_rater(other), 3)

    with django_assert_num_queries(1):
        found = [(each.item.key, each.rater.pseudonym, each.value) for each in list_judgments(study).order_by("pk")]

    assert found == [(first.key, "rater-1", 1.0), (second.key, "rater-1", 2.0)]


def test_exclusions_newest_first_and_lifted_ones_too(django_assert_num_queries):
    study, other = make_study(), make_study("other")
    for name, lifted_at in (("ann", NOW), ("bob", None)):
        Exclusion.objects.create(rater=make_rater(study, name), reason="Fast.", decided_at=NOW, lifted_at=lifted_at)
    Exclusion.objects.create(rater=make_rater(other, "eve"), reason="Fast.", decided_at=NOW)

    with django_assert_num_queries(1):
        found = [(each.rater.pseudonym, each.lifted_at, each.decided_by) for each in list_exclusions(study)]

    assert found == [("bob", None, None), ("ann", NOW, None)]
