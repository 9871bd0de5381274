from datetime import timedelta

import pytest

from studies.domain.queries.raters import list_raters
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
