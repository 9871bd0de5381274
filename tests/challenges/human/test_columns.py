"""Tests of the columns of human studies: shares, means and strengths from the judgments that count."""

from math import isclose

import pytest

from challenges.human.columns import list_shown, load_human_column
from challenges.human.samples import PEOPLE
from challenges.models import HumanStudy
from studies.models import Exclusion, Judgment, Rater
from tests.challenges.human.evaluation import close_human, evaluate, judge, open_human
from tests.factories.studies import NOW

pytestmark = pytest.mark.django_db


def read(human):
    """Return the rounded value and n by team."""
    column = load_human_column(human, now=NOW)
    entries = {each.submission_id: each.system for each in human.entries.all()}
    return {entries[pk]: (round(cell.value, 6), cell.n) for pk, cell in column.cells.items()}


@pytest.mark.parametrize(
    ("criterion", "values"),
    [
        ("M2", {"Lynx": 1.0, "Ibex": 0.0, "Puma": 0.0, PEOPLE: 1.0}),
        ("M3", {"Lynx": 5.0, "Ibex": 4.0, "Puma": 1.0}),
        ("M4", {"Lynx": 2.0, "Ibex": 3.0, "Puma": 1.0}),
        ("M5", {"Lynx": 1.0, "Ibex": 1.0, "Puma": 0.0}),
    ],
)
def test_shares_and_means(phase, criterion, values):
    human = evaluate(phase, criterion)
    judge(human, values)

    assert read(human) == {name: (value, 8) for name, value in values.items() if name != PEOPLE}
    people = load_human_column(human, now=NOW).people
    assert (people.value if people else None) == values.get(PEOPLE)
    assert {cell.n_raters for cell in load_human_column(human, now=NOW).cells.values()} == {2}


def test_no_preference_is_as_good_as_the_human_caption(phase):
    human = evaluate(phase, "M1")
    judge(human, {("Lynx", PEOPLE): 1.0, ("Ibex", PEOPLE): 0.0, ("Puma", PEOPLE): -1.0})

    assert read(human) == {"Lynx": (1.0, 8), "Ibex": (1.0, 8), "Puma": (0.0, 8)}


def test_shares_have_an_interval_and_means_have_none(phase):
    shares, means = evaluate(phase, "M5"), evaluate(phase, "M3")
    judge(shares, {"Lynx": 1.0, "Ibex": 1.0, "Puma": 0.0})
    judge(means, {"Lynx": 5.0, "Ibex": 4.0, "Puma": 1.0})
    Judgment.objects.filter(rater__pseudonym="study-m5-rater-1", item__candidate__system__name="Lynx").update(value=0.0)

    cells = {each.system: load_human_column(shares, now=NOW).cells[each.submission_id] for each in shares.entries.all()}

    assert cells["Lynx"].value == 0.5
    assert 0 <= cells["Lynx"].low < 0.5 < cells["Lynx"].high <= 1
    assert {(cell.low, cell.high) for cell in load_human_column(means, now=NOW).cells.values()} == {(None, None)}


def test_strengths_of_choices_between_entries(phase):
    human = evaluate(phase, "wins")
    order = {"Lynx": 2, "Ibex": 1, "Puma": 0}
    names = [(one, other) for one in order for other in order if one != other]
    judge(human, {(one, other): 1.0 if order[one] > order[other] else -1.0 for one, other in names})
    # One surprise for each pair, or strengths would be unbounded.
    seen = set()
    for judgment in Judgment.objects.select_related("item__candidate__system", "item__other_candidate__system"):
        pair = frozenset({judgment.item.candidate.system.name, judgment.item.other_candidate.system.name})
        if pair not in seen:
            seen.add(pair)
            Judgment.objects.filter(pk=judgment.pk).update(value=-judgment.value)

    cells = {each.system: load_human_column(human, now=NOW).cells[each.submission_id] for each in human.entries.all()}

    strengths = [cells[name].strength for name in order]
    assert strengths == sorted(strengths, reverse=True)
    assert isclose(sum(strengths), 0, abs_tol=1e-6)
    assert [cells[name].value for name in order] == sorted((cell.value for cell in cells.values()), reverse=True)
    assert isclose(sum(cell.value for cell in cells.values()), 1.5)
    assert sum(cell.n for cell in cells.values()) == 2 * Judgment.objects.count()


def test_strengths_are_missing_while_one_entry_wins_all(phase):
    human = evaluate(phase, "wins")
    order = {"Lynx": 2, "Ibex": 1, "Puma": 0}
    names = [(one, other) for one in order for other in order if one != other]
    judge(human, {(one, other): 1.0 if order[one] > order[other] else -1.0 for one, other in names})

    assert {cell.strength for cell in load_human_column(human, now=NOW).cells.values()} == {None}


def test_judgments_of_excluded_raters_do_not_count(phase):
    human = evaluate(phase)
    judge(human, {"Lynx": 5.0, "Ibex": 4.0, "Puma": 1.0})
    Exclusion.objects.create(rater=Rater.objects.get(pseudonym__endswith="rater-2"), reason="careless", decided_at=NOW)

    assert read(human) == {"Lynx": (5.0, 4), "Ibex": (4.0, 4), "Puma": (1.0, 4)}


def test_there_is_no_cell_without_judgments(phase):
    column = load_human_column(evaluate(phase, "wins"), now=NOW)

    assert (column.cells, column.people) == ({}, None)


def test_results_are_shown_when_the_study_is_closed_or_the_hosts_show_them(phase):
    drafts = [evaluate(phase, name) for name in ("M3", "M4", "M5")]
    assert list_shown(phase) == []

    open_human(drafts[0])
    open_human(drafts[1])
    assert list_shown(phase) == []
    close_human(drafts[0])
    HumanStudy.objects.filter(pk=drafts[1].pk).update(shown_at=NOW)

    assert [(each.criterion, each.study.state) for each in list_shown(phase)] == [
        ("M3", "closed"),
        ("M4", "open"),
    ]


def test_the_newest_study_of_a_criterion_is_shown(phase):
    for name in ("first", "second"):
        evaluate(phase, name=name)
    HumanStudy.objects.update(shown_at=NOW)

    assert [each.study.name for each in list_shown(phase)] == ["second"]
