"""Tests that baselines of each kind are scored like submissions, count towards no limit, and are refused clearly."""

import io
import zipfile
from pathlib import Path

import pytest
from django.core.files.base import ContentFile

from challenges.baselines.adding import MOST_BASELINES, NewBaseline, add_baseline, list_baselines
from challenges.board.ranking import compute_board
from challenges.enums import BaselineKind
from challenges.errors import ChallengeRefused
from challenges.models import Baseline, ChallengeEvent, Phase, Submission, Team
from challenges.taking_part.limits import count_usage
from challenges.taking_part.teams import make_team as make_team_of
from jobs.models import Job
from studies.access.audit import COMMAND_LINE
from tests.challenges.baselines.adding import add, read_captions, write_training
from tests.challenges.challenges import (
    CAPTIONS,
    make_challenge,
    make_phase,
    make_team,
    score_all,
    submit,
    write_results,
)
from tests.factories.studies import NOW, make_user

pytestmark = pytest.mark.django_db


def list_files(settings):
    return sorted(path.name for path in Path(settings.MEDIA_ROOT).rglob("*") if path.is_file())


@pytest.mark.parametrize("kind", ["common-caption", "human", "file"])
def test_a_baseline_is_scored_and_stands_on_the_board_without_a_rank(phase, kind):
    team = make_team(phase.challenge, "Lynx")
    submit(phase, team=team)

    made = add(phase, kind)
    score_all()

    made.submission.refresh_from_db()
    assert (made.submission.state, made.submission.reason) == ("scored", "")
    assert made.submission.digest
    assert made.submission.n_bytes > 0
    entries = {each.team: (each.rank, each.is_baseline) for each in compute_board(phase).entries}
    assert entries == {"Lynx": (1, False), made.submission.team.name: (None, True)}


def test_given_results_get_the_scores_of_a_team_with_the_same_file(phase):
    submission = submit(phase, team=make_team(phase.challenge))
    baseline = add(phase, "file").submission
    score_all()

    assert list(baseline.scores.values_list("metric", "references", "value")) == list(
        submission.scores.values_list("metric", "references", "value")
    )


def test_common_caption_is_the_most_frequent_one_as_tokens(phase, settings, django_capture_on_commit_callbacks):
    made = add(phase, "common-caption")
    with django_capture_on_commit_callbacks(execute=True):
        score_all()

    assert read_captions(made.submission) == {key: ["a dog"] for key in CAPTIONS}
    # The training captions are not kept.
    made.refresh_from_db()
    assert not made.source
    assert list_files(settings) == [f"{made.submission.token}.json"]


def test_caption_sets_get_the_most_frequent_captions():
    phase = make_phase(make_challenge(), captions_per_image=2)

    made = add(phase, "common-caption")
    score_all()

    assert read_captions(made.submission) == {key: ["a dog", "a dog runs"] for key in CAPTIONS}


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"[]", "captions.json: "),
        (write_training({"1": ("...",), "2": ("!",)}), "captions.json: must have captions with words, got none"),
        (
            write_training({"1": ("a dog",), "11": ("a cat",)}),
            "training captions must be of other images than those of the phase, got captions of 1 of its images, such "
            "as 11",
        ),
    ],
)
def test_invalid_training_captions_fail_with_the_reason(
    phase, content, reason, settings, django_capture_on_commit_callbacks
):
    made = add(phase, "common-caption", content=content)
    with django_capture_on_commit_callbacks(execute=True):
        score_all()

    made.submission.refresh_from_db()
    assert made.submission.state == "failed"
    assert made.submission.reason.startswith(reason)
    assert list_files(settings) == []


def test_invalid_results_fail_with_every_entry(phase):
    made = add(phase, "file", content=b'[{"image_id": 10, "caption": "a dog"}]')
    score_all()

    made.submission.refresh_from_db()
    assert made.submission.state == "failed"
    assert "11" in made.submission.reason


def test_a_baseline_takes_nothing_from_teams():
    challenge = make_challenge(most_teams=1, team_size=1)
    phase = make_phase(challenge, per_day=1, in_all=1)
    add(phase, "file")
    score_all()

    team = make_team_of(challenge, user=make_user("first"), name="Lynx", now=NOW)
    assert count_usage(phase, team=team, now=NOW).left == 1
    with pytest.raises(ChallengeRefused, match="already has 1 teams"):
        make_team_of(challenge, user=make_user("second"), name="Ibex", now=NOW)


def test_baselines_are_added_to_drafts_and_phases_that_are_over(phase):
    type(phase.challenge).objects.update(state="draft")
    Phase.objects.update(opens_at="2001-01-01T00:00:00Z", closes_at="2002-01-01T00:00:00Z")

    made = add(phase, "human")
    score_all()

    made.submission.refresh_from_db()
    assert made.submission.state == "scored"


def test_adding_is_recorded_with_kind_and_seed(phase):
    made = add(phase, "human", name="People", seed=7)

    event = ChallengeEvent.objects.get(action="baseline_added")
    assert event.details == {
        "phase": "test",
        "baseline": "People",
        "kind": "human",
        "seed": 7,
        "submission": made.submission.token,
    }


def test_a_name_is_that_of_one_baseline_of_a_phase_and_of_no_team(phase):
    make_team(phase.challenge, "Lynx")
    add(phase, "file", name="Plain")
    other = make_phase(phase.challenge, slug="other")

    with pytest.raises(ChallengeRefused, match="there is already a team with the name 'Lynx'"):
        add(phase, "file", name="Lynx")
    with pytest.raises(ChallengeRefused, match="already has a baseline with the name 'Plain'"):
        add(phase, "human", name="Plain")
    assert add(other, "file", name="Plain").submission.team == Team.objects.get(name="Plain")
    with pytest.raises(ChallengeRefused, match="already a team with the name 'Plain'"):
        make_team_of(phase.challenge, user=make_user("someone"), name="Plain", now=NOW)


@pytest.mark.parametrize(
    ("kind", "content", "given", "words"),
    [
        ("human", b"[]", {}, "drawn from the references: give no file"),
        ("human", None, {"seed": 2**31}, "seed must be 0 to"),
        ("file", b"", {}, "a file may have 1 to"),
        ("file", None, {"name": " " * 3}, "must have 1 to 60 characters, got 0"),
        ("file", None, {"name": "x" * 61}, "must have 1 to 60 characters, got 61"),
    ],
)
def test_refusals_leave_nothing(phase, settings, kind, content, given, words):
    with pytest.raises(ChallengeRefused, match=words):
        add(phase, kind, content=content, **given)

    assert (Submission.objects.count(), Baseline.objects.count(), Team.objects.count()) == (0, 0, 0)
    assert (Job.objects.count(), ChallengeEvent.objects.count(), list_files(settings)) == (0, 0, [])


def test_a_failure_while_storing_leaves_no_file(phase, settings, monkeypatch):
    def fail(*_, **__):
        raise OSError("disk full")

    monkeypatch.setattr("challenges.baselines.adding.queue_scoring", fail)
    with pytest.raises(OSError, match="disk full"):
        add(phase, "file")

    assert (Baseline.objects.count(), list_files(settings)) == (0, [])


def test_a_phase_has_a_limited_number_of_baselines(phase):
    for number in range(MOST_BASELINES):
        add(phase, "file", name=f"b{number}")

    with pytest.raises(ChallengeRefused, match="which is the maximum: remove one"):
        add(phase, "file", name="one more")
    assert list_baselines(phase).count() == MOST_BASELINES


def test_a_final_board_takes_none(phase):
    Phase.objects.update(frozen_at=NOW)

    with pytest.raises(ChallengeRefused, match="final"):
        add(phase, BaselineKind.HUMAN)


def test_zipped_results_are_taken(phase):
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("captions_test_plain_results.json", write_results())
    file = ContentFile(content.getvalue(), name="Plain.ZIP")
    new = NewBaseline.make(BaselineKind.FILE, name="Plain", file=file)
    made = add_baseline(phase, new, actor=COMMAND_LINE, now=NOW)
    score_all()

    made.submission.refresh_from_db()
    assert (made.submission.state, made.submission.name) == ("scored", "Plain.ZIP")
