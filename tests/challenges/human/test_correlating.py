"""Tests of the study that correlates people with metrics over the entries of a phase, also on simulated judgments."""

import json

import numpy as np
import pytest
from django.core.management import call_command

from challenges.board.ranking import compute_board
from challenges.board.shown import name_column
from challenges.errors import ChallengeRefused
from challenges.human.columns import load_human_column
from challenges.human.correlating import make_system_study
from challenges.human.samples import PEOPLE
from challenges.models import HumanStudy, PhaseMetric, SubmissionScore
from studies.access.audit import COMMAND_LINE
from studies.design.changes import change_design
from studies.enums import StudyState
from studies.models import Judgment, Run, Study
from studies.simulation.running import simulate
from tests.challenges.human.evaluation import TEXTS, close_human, evaluate, judge, open_human
from tests.factories.studies import NOW

pytestmark = pytest.mark.django_db


def correlate(phase, *, name="systems"):
    return make_system_study(phase, name=name, owner=phase.challenge.owner, actor=COMMAND_LINE, now=NOW)


def print_correlations(study, capsys):
    """Return the rows that `correlate` prints, by criterion and metric."""
    capsys.readouterr()
    call_command("correlate", study.name, "--json")
    return json.loads(capsys.readouterr().out)


@pytest.fixture
def judged(phase):
    """The phase with two closed studies."""
    for criterion, values in (
        ("M3", {"Lynx": 5.0, "Ibex": 4.0, "Puma": 1.0}),
        ("M2", {"Lynx": 0.0, "Ibex": 1.0, "Puma": 0.0, PEOPLE: 1.0}),
    ):
        human = evaluate(phase, criterion)
        open_human(human)
        judge(human, values)
        close_human(human)
    return phase


def test_r_is_that_of_the_board_and_the_means(judged, capsys):
    study = correlate(judged)

    board = compute_board(judged)
    means = load_human_column(HumanStudy.objects.get(criterion="M3"), now=NOW).cells
    rows = print_correlations(study, capsys)
    for number, column in enumerate(board.columns):
        expected = np.corrcoef(
            [each.values[number] for each in board.entries], [means[each.submission].value for each in board.entries]
        )[0, 1]
        metric = f"external:{name_column(column)}"
        found = [row for row in rows if (row["metric"], row["category"]) == (metric, "M3")]
        assert [row["value"] for row in found] == pytest.approx([expected])


def test_the_study_is_of_systems_under_the_protocol(judged):
    study = correlate(judged)

    assert study.owner == judged.challenge.owner
    assert study.protocol.startswith("coco-2015@1|")
    assert study.protocol.endswith("level:system|coef:pearson|crit:M2+M3")
    rows = Judgment.objects.filter(item__task__study=study).values_list(
        "item__candidate__system__name", "item__category"
    )
    assert sorted(rows) == sorted((name, criterion) for name in ("Lynx", "Ibex", "Puma") for criterion in ("M2", "M3"))
    assert not study.dataset.images.filter(references__isnull=False).exists()


def test_scores_keep_their_direction(judged):
    PhaseMetric.objects.filter(metric="rouge-l").update(metric="mbleu-1")
    SubmissionScore.objects.filter(metric="rouge-l").update(metric="mbleu-1")

    correlate(judged)

    assert {run.metric for run in Run.objects.filter(higher_is_better=False)} == {
        "external:mbleu-1:c2",
        "external:mbleu-1:c3",
    }


def test_entries_that_were_not_judged_on_all_criteria_are_left_out(judged):
    Judgment.objects.filter(item__candidate__system__name="Puma", item__category="M2").delete()

    study = correlate(judged)

    assert set(study.dataset.systems.values_list("name", flat=True)) == {"Lynx", "Ibex"}


def test_what_is_refused(phase, judged):
    correlate(judged)
    with pytest.raises(ChallengeRefused, match="systems"):
        correlate(judged)
    Judgment.objects.filter(item__candidate__system__name__in=("Puma", "Ibex"), item__category="M2").delete()
    with pytest.raises(ChallengeRefused, match="at least 2 entries"):
        correlate(judged, name="other")
    HumanStudy.objects.all().delete()
    with pytest.raises(ChallengeRefused, match="got 0"):
        correlate(judged, name="other")


@pytest.mark.slow
def test_columns_and_correlations_of_a_simulated_study(client, phase, settings, capsys):
    settings.ACCORDANCE_JOINS_PER_MINUTE = settings.ACCORDANCE_NEWCOMERS_PER_ADDRESS = 0
    settings.ALLOWED_HOSTS = ["*"]
    human = evaluate(phase, "M3")
    change_design(human.study, changes=TEXTS, now=NOW, actor=COMMAND_LINE, user=human.study.owner)
    address = f"/challenges/{phase.challenge.slug}/phases/{phase.slug}/leaderboard/"

    report = simulate(Study.objects.get(pk=human.study.pk), n_raters=6, seed=1, now=NOW)
    before = client.get(address).content.decode()
    human.study.refresh_from_db()
    close_human(human)
    page = client.get(address).content.decode()
    rows = print_correlations(correlate(phase), capsys)

    assert report.problems == ()
    assert human.study.state == StudyState.CLOSED
    assert "Judged by people" not in before
    assert "Judged by people" in page
    column = load_human_column(human, now=NOW)
    assert len(column.cells) == 3
    assert all(f"{cell.value:.3f}" in page for cell in column.cells.values())
    assert len({row["metric"] for row in rows}) == Run.objects.filter(metric__startswith="external:").count() == 6
    assert all(-1 <= row["value"] <= 1 for row in rows)
