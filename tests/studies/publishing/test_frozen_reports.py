"""Tests of the list of reports, newest first, without their content."""

import pytest

from studies.models import FrozenReport
from studies.publishing.frozen_reports import list_reports
from tests.factories.studies import NOW, make_study, make_user

pytestmark = pytest.mark.django_db


def make_reports(study, person, *numbers):
    return [
        FrozenReport.objects.create(
            study=study, number=number, content="{}", digest=str(number), made_at=NOW, made_by=person
        )
        for number in numbers
    ]


def test_reports_of_the_study_newest_first(django_assert_num_queries):
    study, person = make_study(), make_user("anna")
    make_reports(study, person, 1, 2, 3)
    make_reports(make_study("other"), person, 4)

    with django_assert_num_queries(1):
        found = [(each.number, each.study.name, each.made_by.username) for each in list_reports(study)]

    assert found == [(3, "study", "anna"), (2, "study", "anna"), (1, "study", "anna")]
    assert "content" in list_reports(study)[0].get_deferred_fields()
