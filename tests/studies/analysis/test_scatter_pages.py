"""The scatter of an overview: made at once of few judgments, else by a worker, and kept with its table."""

import pytest
from django_tasks_db.models import DBTaskResult

from studies.analysis import awaiting
from studies.analysis.scatter import NoScatter
from studies.analysis.scatter_pages import find_scatter, make_scatter
from tests.factories.studies import NOW
from tests.studies.scored import make_scored_study

pytestmark = pytest.mark.django_db


def test_a_small_study_has_it_at_once_with_its_table():
    study = make_scored_study(values=(1, 2, 2))

    known = find_scatter(study, metric="length", now=NOW)

    assert (known.as_of, known.is_on_its_way) == (None, False)
    assert set(known.made.pictures) == {"wide", "narrow"}
    # Judgment, n, quartiles and mean: captions of 3 and 4 words are judged 2.
    assert known.made.table.rows == (("1", 1, 2.0, 2.0, 2.0, 2.0), ("2", 2, 3.25, 3.5, 3.75, 3.5))


def test_a_large_study_has_it_from_a_worker(monkeypatch):
    monkeypatch.setattr(awaiting, "MOST_JUDGMENTS", 0)
    study = make_scored_study(values=(1, 2, 3))

    first = find_scatter(study, metric="length", now=NOW)
    make_scatter.func(study_pk=study.pk, metric="length")
    then = find_scatter(study, metric="length", now=NOW)

    assert (first.made, first.is_on_its_way) == (None, True)
    assert DBTaskResult.objects.get().task_path == "studies.analysis.scatter_pages.make_scatter"
    assert ([row[1] for row in then.made.table.rows], then.is_on_its_way) == ([1, 1, 1], False)


def test_what_has_no_scores_has_none():
    with pytest.raises(NoScatter, match="cider"):
        find_scatter(make_scored_study(), metric="cider", now=NOW)
