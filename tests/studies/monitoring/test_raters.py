from datetime import timedelta

import pytest

from studies.monitoring.raters import RaterTotal, list_raters, name_raters, total_raters
from tests.factories.studies import NOW, make_judgment, make_rater, make_study
from tests.studies.scored import list_items

LATER = NOW + timedelta(hours=1)


@pytest.mark.django_db
def test_list_raters_busiest_first(django_assert_num_queries):
    study = make_study(n_tasks=2)
    for name in ("idle", "busy", "once"):
        make_rater(study, name)
    busy, once = study.raters.get(pseudonym="busy"), study.raters.get(pseudonym="once")
    first, second = list_items(study)
    make_judgment(first, busy)
    make_judgment(second, busy, created_at=LATER)
    make_judgment(first, once)
    make_rater(make_study("other"), "elsewhere")

    with django_assert_num_queries(2):
        raters = [(rater.pseudonym, rater.n_judgments, rater.last_judgment) for rater in list_raters(study)]

    assert raters == [("busy", 2, LATER), ("once", 1, NOW), ("idle", 0, None)]


@pytest.mark.django_db
def test_total_raters_says_how_many_judgments_are_surplus():
    study = make_study(n_tasks=2)
    rater = make_rater(study)
    for item, since in zip(list_items(study), (NOW, None), strict=True):
        make_judgment(item, rater, surplus_since=since)

    assert [(total.n_judgments, total.n_surplus) for total in total_raters(study)] == [(2, 1)]


@pytest.mark.django_db
@pytest.mark.parametrize("n_raters", [2, 4])
def test_total_raters_in_the_same_order(n_raters, django_assert_num_queries):
    study = make_study(n_tasks=2)
    raters = [make_rater(study, f"rater-{number}") for number in range(n_raters)]
    first, second = list_items(study)
    make_judgment(first, raters[1])
    make_judgment(second, raters[1], created_at=LATER)

    with django_assert_num_queries(3):
        totals = total_raters(study)
    with django_assert_num_queries(1):
        named = name_raters(totals[:2])

    assert [total.rater for total in totals] == [rater.pk for rater in list_raters(study)]
    assert named == (
        ("rater-1", RaterTotal(raters[1].pk, 2, LATER)),
        ("rater-0", RaterTotal(raters[0].pk, 0, None)),
    )
