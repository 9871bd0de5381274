"""Tests that a prepared query gives the results of its queryset for the values of each run."""

import pytest
from django.db import connection, transaction
from django.db.models import BigIntegerField, CharField, Count, DateTimeField
from django.test.utils import CaptureQueriesContext

from studies.models import Rater, Study, StudyVersion
from studies.shared.prepared_queries import Prepared, QueryParameter
from tests.factories.studies import NOW, make_rater, make_study

pytestmark = pytest.mark.django_db


def test_rows_are_those_of_the_queryset_with_what_they_refer_to() -> None:
    raters = [make_rater(make_study(name), name) for name in ("first", "second")]
    prepared = Prepared(lambda: Rater.objects.filter(study=_slot("study")).select_related("study"))

    for rater in raters:
        with CaptureQueriesContext(
            connection,
        ) as queries:
            (found,) = prepared.run(study=rater.study_id)
            names = (found.pseudonym, found.study.name, found.joined_at)
        assert (found, names, len(queries)) == (rater, (rater.pseudonym, rater.study.name, rater.joined_at), 1)


def test_values_are_read_as_by_the_queryset() -> None:
    study = make_study()
    prepared = Prepared(lambda: StudyVersion.objects.filter(study=_slot("study")).values_list("design", "created_at"))

    assert prepared.run(study=study.pk) == list(study.versions.values_list("design", "created_at"))


def test_times_and_counts_work() -> None:
    study = make_study()
    make_rater(study)
    joined = QueryParameter("until", DateTimeField())
    prepared = Prepared(
        lambda: Rater.objects.filter(joined_at__lte=joined).order_by().values_list("study").annotate(n=Count("pk"))
    )

    assert prepared.run(until=Rater.objects.get().joined_at) == [(study.pk, 1)]
    assert prepared.run(until=NOW.replace(year=1999)) == []


def test_text_is_a_value_and_no_statement() -> None:
    make_study()
    prepared = Prepared(lambda: Study.objects.filter(name=QueryParameter("name", CharField())))

    assert prepared.find(name="' OR ''='") is None


def test_first_row_is_found() -> None:
    study = make_study()
    raters = [make_rater(study, name) for name in ("one", "two")]
    prepared = Prepared(lambda: Rater.objects.filter(study=_slot("study")).order_by("-pk"))

    assert prepared.find(study=study.pk) == raters[1]
    assert prepared.get(study=study.pk) == raters[1]
    assert prepared.find(study=0) is None
    with pytest.raises(Rater.DoesNotExist, match="there is no rater with"):
        prepared.get(study=0)


def test_rows_are_locked_only_where_the_database_locks_rows() -> None:
    study = make_study()
    rater = make_rater(study)
    locked = Rater.objects.select_for_update(of=("self",), no_key=True).select_related("study")
    prepared = Prepared(lambda: locked.filter(pk=_slot("pk")).order_by(), share="studies_study")

    with transaction.atomic(), CaptureQueriesContext(connection) as queries:
        assert prepared.find(pk=rater.pk) == rater

    ends = {"sqlite": False, "postgresql": True}
    clause = ' FOR NO KEY UPDATE OF "studies_rater" FOR SHARE OF studies_study'
    assert queries[-1]["sql"].endswith(clause) == ends[connection.vendor]


def _slot(name):
    return QueryParameter(name, BigIntegerField())
