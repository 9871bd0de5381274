"""The submissions of a panel: how each should stand there, and what a researcher is to do with it."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from studies.domain.design import StudyDesign
from studies.domain.quality import RaterRecord, report_quality
from studies.domain.queries.versions import load_newest_version
from studies.enums import PanelKind, RaterOutcome
from studies.models import Identity, Rater, Study, Submission

APPROVE, RETURN, LOOK_AT, WAIT = "approve", "ask to return", "look at", "wait"


@dataclass(frozen=True, slots=True)
class SubmissionRow:
    """One visit as a panel counts it.

    Attributes:
        rater: The pseudonym; empty if nobody agreed to take part.
        outcome: How it ended; empty while it goes on.
        expected: The state in which the panel should have it.
        code: The completion code that was shown; empty if there was none.
        minutes: From coming to the end; None while it goes on.
        advice: `approve`, `ask to return`, `look at` or `wait`.
        why: What the advice rests on.
    """

    rater: str
    outcome: str
    expected: str
    code: str
    minutes: float | None
    advice: str
    why: str


@dataclass(frozen=True, slots=True)
class SubmissionReport:
    """All submissions, in the order of pseudonyms, and how many there are of each state and advice."""

    panel: str
    rows: tuple[SubmissionRow, ...]

    def count(self) -> Counter[tuple[str, str]]:
        """Return (expected state, advice) -> number of submissions."""
        return Counter((row.expected, row.advice) for row in self.rows)


def report_submissions(study: Study, *, seed: int = 0) -> SubmissionReport:
    """Say of each submission how the panel should have it; `seed` is of the permutations behind declared rules."""
    panel = StudyDesign.from_json(load_newest_version(study).design).panel.kind
    rows = [row for _, row in _list_rows(study, seed=seed)]
    return SubmissionReport(panel, tuple(sorted(rows, key=lambda row: (row.rater, row.minutes or 0.0))))


def list_decisions(study: Study, *, seed: int = 0) -> list[tuple[str, ...]]:
    """Return (participant, panel's id of the visit, expected state, code, minutes, advice, why) for the panel's page.

    Names people, and so no pseudonym; in the order of the ids, so that the list does not say who judged what.
    """
    people = dict(Identity.objects.values_list("identity_hash", "participant_id"))
    return sorted(
        (
            people.get(submission.identity_hash, ""),
            submission.session_id,
            row.expected,
            row.code,
            "" if row.minutes is None else f"{row.minutes:.1f}",
            row.advice,
            row.why,
        )
        for submission, row in _list_rows(study, seed=seed)
    )


def _list_rows(study: Study, *, seed: int) -> Iterator[tuple[Submission, SubmissionRow]]:
    records = {record.rater: record for record in report_quality(study, seed=seed).raters}
    named = Rater.objects.filter(study=study).exclude(identity_hash="")
    names = dict(named.values_list("identity_hash", "pseudonym"))
    for submission in Submission.objects.filter(study=study):
        name = names.get(submission.identity_hash, "")
        advice, why = _advise(submission, records.get(name))
        ended = submission.ended_at
        minutes = None if ended is None else (ended - submission.started_at).total_seconds() / 60
        yield (
            submission,
            SubmissionRow(name, submission.outcome, _expect(submission), submission.code, minutes, advice, why),
        )


def _expect(submission: Submission) -> str:
    if submission.panel != PanelKind.PROLIFIC:
        return "handed in" if submission.ended_at else "in progress"
    if submission.ended_at is None:
        return "ACTIVE or TIMED-OUT"
    if not submission.code:
        return "RETURNED"
    return "SCREENED OUT" if submission.outcome == RaterOutcome.NOT_QUALIFIED else "AWAITING REVIEW"


def _advise(submission: Submission, record: RaterRecord | None) -> tuple[str, str]:
    if submission.ended_at is None:
        return WAIT, "not ended"
    if not submission.code and submission.panel == PanelKind.PROLIFIC:
        return RETURN, f"{submission.outcome}, no code was shown"
    if submission.outcome != RaterOutcome.FINISHED:
        return APPROVE, f"{submission.outcome}: the work that was done is paid"
    if record is not None and record.may_reject:
        return LOOK_AT, f"{record.n_attention_failed} attention checks failed: the policy would let you reject"
    if record is not None and (record.excluded or record.broken):
        return APPROVE, "left out of the analysis or breaks a rule, which is no reason to reject"
    return APPROVE, "finished"
