"""What scripted raters fill in is taken by every kind, and careful ones know what is expected."""

from random import Random

import pytest

from annotation_ui.kinds import KINDS
from annotation_ui.rehearsal.answering import fill_form
from studies.domain.assigning import lease_task
from studies.domain.assigning.grading import is_right
from studies.domain.design import StudyDesign
from studies.domain.queries.shown_tasks import load_shown_items
from studies.enums import TaskKind
from tests.factories.open_studies import make_open_study
from tests.factories.studies import NOW, make_rater
from tests.studies.domain.assigning.staged import RIGHT, make_staged_study

pytestmark = pytest.mark.django_db


def _read(assignment, fields):
    design = StudyDesign.from_json(assignment.version.design)
    form = KINDS[assignment.task.study.kind](load_shown_items(assignment), design=design, data=fields)
    assert form.is_valid(), form.errors
    return form.read_answers()


@pytest.mark.parametrize("kind", list(TaskKind))
@pytest.mark.parametrize("manner", ["careful", "careless", "same"])
def test_every_kind_takes_it(kind, manner):
    assignment = lease_task(make_rater(make_open_study(kind=kind)), now=NOW)

    answers = _read(assignment, fill_form(assignment.pk, manner=manner, rng=Random(1)))

    assert [answer.item for answer in answers] == [entry["item"] for entry in assignment.shown]


def test_careful_raters_give_what_is_expected():
    assignment = lease_task(make_rater(make_staged_study(training=1)), now=NOW)

    for seed in range(5):
        (answer,) = _read(assignment, fill_form(assignment.pk, manner="careful", rng=Random(seed)))
        assert is_right(answer.value, [RIGHT])


def test_careful_raters_mostly_agree_and_careless_ones_do_not():
    assignment = lease_task(make_rater(make_open_study()), now=NOW)

    def collect(manner):
        return [
            _read(assignment, fill_form(assignment.pk, manner=manner, rng=Random(seed)))[0].value for seed in range(60)
        ]

    careful, careless = collect("careful"), collect("careless")
    # Four of five share one opinion, and a fourth of the others too: 85 % of 60, within four standard errors.
    assert max(map(careful.count, careful)) >= 40
    assert max(map(careless.count, careless)) <= 30
