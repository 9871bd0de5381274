"""Tests of visits from a panel: opened once, ended once, and never those of another rater."""

from datetime import timedelta

import pytest

from studies.collection.arrival.arrivals import (
    Arrival,
    SessionOfAnother,
    end_submission,
    find_arrived,
    find_submission,
    record_arrival,
)
from studies.collection.arrival.raters import Participant, list_identity_hashes
from studies.collection.assignment import StageName, find_stage
from studies.enums import EventKind, PanelKind, RaterOutcome
from studies.models import Assignment, RaterEvent, Submission
from tests.factories.open_studies import make_open_study
from tests.factories.studies import NOW, make_rater
from tests.studies.scoring.working import work

pytestmark = pytest.mark.django_db
LATER = NOW + timedelta(hours=1)


def _arrive(person="zoe", session="s1"):
    return Arrival(
        PanelKind.PROLIFIC, Participant(PanelKind.PROLIFIC, person), session_id=session, parameters={"STUDY_ID": "x"}
    )


def _make_rater(study, person="zoe"):
    known = list_identity_hashes(Participant(PanelKind.PROLIFIC, person))[0]
    return make_rater(study, person, identity_hash=known)


def test_participant_is_found_in_the_study_and_in_no_other(settings) -> None:
    study, other = make_open_study(), make_open_study("other")
    rater = _make_rater(study)

    assert find_arrived(study, _arrive()) == rater
    assert find_arrived(other, _arrive()) is None
    settings.ACCORDANCE_IDENTITY_KEY = "another"
    assert find_arrived(study, _arrive()) is None


def test_visit_is_opened_once_and_coming_back_is_noted() -> None:
    rater = _make_rater(make_open_study())

    first = record_arrival(rater, _arrive(), now=NOW)
    again = record_arrival(rater, _arrive(), now=LATER)

    assert first == again
    assert (again.started_at, again.parameters, again.session_id) == (NOW, {"STUDY_ID": "x"}, "s1")
    assert list(RaterEvent.objects.values_list("kind", "rater")) == [(EventKind.REOPENED, rater.pk)]


def test_session_of_somebody_else_is_refused() -> None:
    study = make_open_study()
    record_arrival(_make_rater(study), _arrive(), now=NOW)

    with pytest.raises(SessionOfAnother, match="another person's visit"):
        record_arrival(_make_rater(study, "adam"), _arrive("adam"), now=NOW)
    assert Submission.objects.count() == 1


def test_latest_visit_counts() -> None:
    rater = _make_rater(make_open_study())
    record_arrival(rater, _arrive(), now=NOW)
    second = record_arrival(rater, _arrive(session="s2"), now=LATER)

    assert find_submission(rater) == second
    assert find_submission(make_rater(rater.study, "of-a-link")) is None


def test_next_visit_ends_a_pause_and_coming_back_to_the_last_one_does_not() -> None:
    study = make_open_study(n_tasks=3, tasks_per_session=1)
    rater = _make_rater(study)
    record_arrival(rater, _arrive(), now=NOW)
    assert Assignment.objects.count() == 0
    work(rater)

    record_arrival(rater, _arrive(), now=LATER)
    assert find_stage(rater).name == StageName.PAUSE

    record_arrival(rater, _arrive(session="s2"), now=LATER)
    assert (find_stage(rater).name, find_stage(rater).session) == (StageName.MAIN, 2)


def test_first_end_of_a_visit_counts() -> None:
    submission = record_arrival(_make_rater(make_open_study()), _arrive(), now=NOW)

    end_submission(submission, outcome=RaterOutcome.FINISHED, code="DONE1", now=LATER)
    end_submission(submission, outcome=RaterOutcome.LEFT, code="", now=LATER + timedelta(hours=1))

    assert Submission.objects.values_list("outcome", "code", "ended_at").get() == ("finished", "DONE1", LATER)
