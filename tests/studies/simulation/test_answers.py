"""Tests that answers of simulated raters are valid for every kind, and that careful raters pass checks."""

from random import Random
from statistics import mean

import pytest
from django.template.loader import render_to_string
from scipy.stats import spearmanr

from annotation_ui.kinds import KINDS
from studies.collection.assignment import lease_task
from studies.collection.assignment.grading import is_right
from studies.collection.lifecycle import open_study
from studies.collection.shown_tasks import load_shown_items
from studies.design.study_design import Slider, StudyDesign
from studies.enums import TaskKind
from studies.models import Candidate, Reference
from studies.simulation.answers import fill_form
from studies.simulation.browser import read_page
from studies.simulation.perception import Perception, make_qualities
from tests.factories.open_studies import make_designed_study, make_open_study
from tests.factories.studies import NOW, make_rater
from tests.studies.collection.assignment.staged import RIGHT, make_staged_study

pytestmark = pytest.mark.django_db


def _fill(assignment, manner, seed=1):
    """Fill it in as another rater for each task and seed."""
    number = 1000 * assignment.task.position + seed
    perception = Perception.draw(make_qualities(assignment.task.study, seed=0), seed=0, number=number)
    return fill_form(assignment.pk, _show(assignment), manner=manner, rng=Random(number), perception=perception)


def _show(assignment):
    """Return the form of a task as its page has it."""
    form = _make_form(assignment)
    context = {"form": form, "design": form.design, "study": assignment.study, "questions": form.list_questions()}
    page = f"<form action='/'>{render_to_string(form.template, context)}</form>"
    return read_page(page, url="/", status=200).forms[0]


def _make_form(assignment, data=None):
    design = StudyDesign.from_json(assignment.version.design)
    shown = load_shown_items(assignment, seed=assignment.study.seed)
    return KINDS[assignment.task.study.kind](shown, design=design, data=data)


def _read(assignment, fields):
    form = _make_form(assignment, data=fields)
    assert form.is_valid(), form.errors
    return form.read_answers()


@pytest.mark.parametrize("kind", list(TaskKind))
@pytest.mark.parametrize("manner", ["careful", "careless", "same"])
def test_every_kind_accepts_simulated_answers(kind, manner):
    assignment = lease_task(make_rater(make_open_study(kind=kind)), now=NOW)

    answers = _read(assignment, _fill(assignment, manner))

    assert [answer.item for answer in answers] == [entry["item"] for entry in assignment.shown]


def test_careful_raters_give_what_is_expected():
    assignment = lease_task(make_rater(make_staged_study(training=1)), now=NOW)

    for seed in range(5):
        (answer,) = _read(assignment, _fill(assignment, "careful", seed))
        assert is_right(answer.value, [RIGHT])


@pytest.mark.parametrize(
    ("kind", "least", "design"),
    [
        (TaskKind.RATING, 0.8, {}),
        (
            TaskKind.RATING,
            0.8,
            {"scale": (), "slider": Slider(low=0, high=7, low_label="Bad", high_label="Good", step=0.5)},
        ),
        (TaskKind.SET_RATING, 0.8, {}),
        # Captions of different images are not compared.
        (TaskKind.BEST_WORST, 0.5, {}),
        (TaskKind.TURING, 0.8, {}),
    ],
)
def test_careful_raters_judge_by_quality_and_careless_ones_do_not(kind, least, design):
    assignments = _lease_written(kind=kind, **design)
    known = make_qualities(assignments[0].task.study, seed=0)
    qualities = {item: mean(each.values()) for item, each in known.items()}

    def measure(manner):
        judged = {}
        for assignment in assignments:
            for seed in range(1, 9):
                for answer in _read(assignment, _fill(assignment, manner, seed)):
                    judged.setdefault(answer.item, []).append(answer.value)
        return spearmanr([mean(judged[item]) for item in judged], [qualities[item] for item in judged]).statistic

    assert measure("careful") > least
    # Of twelve tasks chance alone gives less than this in all but one of fifty cases.
    assert abs(measure("careless")) < 0.66


@pytest.mark.parametrize("allows_no_preference", [False, True])
def test_careful_raters_prefer_the_better_caption_whichever_side_it_is_on(allows_no_preference):
    assignments = _lease_written(kind=TaskKind.PAIRWISE, allows_no_preference=allows_no_preference)
    agreed, sides = [], set()
    for assignment in assignments:
        (shown,) = load_shown_items(assignment, seed=assignment.study.seed)
        known = make_qualities(assignment.task.study, seed=0)[shown.pk]
        first, second = (known[text] for text in shown.captions)
        lead = (second - first) if shown.is_swapped else (first - second)
        sides.add(shown.is_swapped)
        for seed in range(1, 9):
            (answer,) = _read(assignment, _fill(assignment, "careful", seed))
            agreed += [answer.value * lead > 0] if abs(lead) > 0.2 else []

    assert sides == {False, True}
    assert len(agreed) >= 40
    assert mean(agreed) > 0.75


def _lease_written(**design):
    """Lease each of twelve tasks whose captions have between none and all of the words of the image's reference."""
    study = make_designed_study(n_tasks=12, raters_per_task=1, **design)
    # The order in which captions are shown, and seen, comes from it.
    study.seed = "0" * 22
    study.save()
    words = ["a", "brown", "dog", "runs", "over", "the", "wet", "green", "grass", "of", "some", "park"]
    Reference.objects.update(text=" ".join(words))
    rng = Random(0)
    for candidate in Candidate.objects.order_by("pk"):
        n_kept = rng.randint(0, len(words))
        candidate.text = " ".join([*words[:n_kept], *(f"other{number}" for number in range(len(words) - n_kept))])
        candidate.save()
    open_study(study, now=NOW)
    return [lease_task(make_rater(study, f"rater-{number}"), now=NOW) for number in range(12)]
