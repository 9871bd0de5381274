"""Tests that a baseline is removed for good, with its captions, for a reason that is recorded."""

from datetime import timedelta
from pathlib import Path

import pytest

from challenges.baselines.adding import list_baselines
from challenges.baselines.removing import remove_baseline
from challenges.board.freezing import freeze_board
from challenges.board.ranking import compute_board
from challenges.errors import ChallengeRefused
from challenges.hosting.actions import disqualify, reinstate, rescore
from challenges.hosting.overview import list_submissions
from challenges.models import ChallengeEvent, Submission
from studies.access.audit import COMMAND_LINE
from tests.challenges.baselines.adding import add
from tests.challenges.challenges import make_team, score_all, submit
from tests.factories.studies import NOW

pytestmark = pytest.mark.django_db
WHY = {"reason": "Wrong captions.", "actor": COMMAND_LINE, "now": NOW}


def list_files(settings):
    return [path for path in Path(settings.MEDIA_ROOT).rglob("*") if path.is_file()]


@pytest.mark.parametrize("is_scored", [True, False])
@pytest.mark.parametrize("kind", ["common-caption", "human", "file"])
def test_a_removed_baseline_is_gone_with_its_files(
    phase, kind, is_scored, settings, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True):
        submission = add(phase, kind).submission
        if is_scored:
            score_all()
        remove_baseline(submission, **WHY)

    score_all()
    assert compute_board(phase).entries == ()
    assert (list(list_baselines(phase)), list(list_submissions(phase.challenge))) == ([], [])
    assert list_files(settings) == []
    submission.refresh_from_db()
    # Scores that were seen stay stored, since the bound counts them.
    assert (submission.state, submission.scores.exists()) == (("scored", True) if is_scored else ("cancelled", False))
    event = ChallengeEvent.objects.first()
    assert (event.action, event.reason) == ("baseline_removed", "Wrong captions.")


def test_a_removed_baseline_can_be_added_again(phase):
    remove_baseline(add(phase, "human").submission, **WHY)

    again = add(phase, "human")
    score_all()

    assert [each.submission for each in compute_board(phase).entries] == [again.submission_id]


def test_scoring_again_scores_baselines_but_for_removed_ones(phase):
    kept, removed = add(phase, "human", name="Kept").submission, add(phase, "human", name="Removed").submission
    score_all()
    remove_baseline(removed, **WHY)
    kept.scores.update(value=0.5)

    assert rescore(phase, **WHY) == 1
    score_all()

    assert set(kept.scores.values_list("value", flat=True)) != {0.5}
    removed.refresh_from_db()
    assert (removed.file.name, removed.reason) == ("", "")


def test_what_is_refused(phase):
    submission = submit(phase, team=make_team(phase.challenge))
    baseline = add(phase, "file").submission

    with pytest.raises(ChallengeRefused, match="not a baseline but the submission of a team"):
        remove_baseline(submission, **WHY)
    for act in (disqualify, reinstate):
        with pytest.raises(ChallengeRefused, match="a baseline of the hosts is removed, and added again"):
            act(baseline, **WHY)
    with pytest.raises(ChallengeRefused, match="give a reason"):
        remove_baseline(baseline, **{**WHY, "reason": " "})
    remove_baseline(baseline, **WHY)
    with pytest.raises(ChallengeRefused, match="removed already"):
        remove_baseline(baseline, **WHY)


def test_a_final_board_keeps_its_baselines(phase):
    baseline = add(phase, "file").submission
    score_all()
    freeze_board(phase, now=phase.closes_at + timedelta(days=1))

    with pytest.raises(ChallengeRefused, match="final"):
        remove_baseline(baseline, **WHY)
    assert Submission.objects.get().disqualified_because == ""
