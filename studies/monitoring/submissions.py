"""The submissions of a panel: the expected state of each, and what the researcher should do with it."""

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import itemgetter
from typing import Final

from django.db.models import Count

from studies.collection.arrival.identities import name_people
from studies.design.study_design import StudyDesign
from studies.design.versions import load_newest_version
from studies.enums import PanelKind, RaterOutcome
from studies.models import Judgment, Rater, Study, Submission
from studies.monitoring.quality import RaterRecord, report_quality

APPROVE, RETURN, LOOK_AT, WAIT = "approve", "request a return", "review", "wait"
PAY_WORK: Final = "pay for the work"
DECISION_COLUMNS: Final = ("participant", "session", "expected", "code", "judgments", "minutes", "advice", "why")
"""The columns of `list_decisions`."""


@dataclass(frozen=True, slots=True)
class SubmissionRow:
    """One visit as counted by a panel.

    Attributes:
        rater: The pseudonym; empty if there was no consent.
        outcome: How it ended; empty while it continues.
        expected: The expected state on the panel.
        code: The completion code that was shown; empty if there was none.
        n_judgments: The number of judgments given in it, including training, qualification and checks.
        minutes: From arrival to end; None while it continues.
        advice: `approve`, `ask to return`, `look at`, `pay the work` (listed by `payments`) or `wait`. A visit without
            any judgment is never approved.
        why: The reason for the advice.
    """

    rater: str
    outcome: str
    expected: str
    code: str
    n_judgments: int
    minutes: float | None
    advice: str
    why: str

    @property
    def outcome_words(self) -> str:
        return RaterOutcome.describe(self.outcome)


@dataclass(frozen=True, slots=True)
class SubmissionReport:
    """All submissions, in the order of pseudonyms, and their numbers by state and advice."""

    panel: str
    rows: tuple[SubmissionRow, ...]

    def count(self) -> Counter[tuple[str, str]]:
        """Return (expected state, advice) -> number of submissions."""
        return Counter((row.expected, row.advice) for row in self.rows)

    def list_empty(self) -> tuple[SubmissionRow, ...]:
        """Return the submissions that have ended without a judgment."""
        return tuple(row for row in self.rows if row.outcome and not row.n_judgments)


def report_submissions(study: Study, *, seed: int = 0) -> SubmissionReport:
    """Return the expected state of each submission; `seed` is for the permutation tests of declared rules."""
    panel = StudyDesign.from_json(load_newest_version(study).design).panel.kind
    rows = [row for _, row in _list_rows(study, seed=seed)]
    return SubmissionReport(panel, tuple(sorted(rows, key=lambda row: (row.rater, row.minutes or 0.0))))


def list_decisions(study: Study, *, seed: int = 0) -> list[tuple[str, ...]]:
    """Return (participant, panel's id of the visit, expected state, code, judgments, minutes, advice, why) for the
    panel's page.

    It names people, so it has no pseudonyms and is sorted by id, which does not reveal who gave which judgments.
    """
    people = name_people(Submission.objects.filter(study=study))
    return sorted(
        (
            people.get(submission.identity_hash, ""),
            submission.session_id,
            row.expected,
            row.code,
            str(row.n_judgments),
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
    submissions = list(Submission.objects.filter(study=study))
    counts = _count_judgments(study, submissions)
    for submission in submissions:
        name, n_judgments = names.get(submission.identity_hash, ""), counts[submission.pk]
        advice, why = _advise(submission, records.get(name), n_judgments=n_judgments)
        ended = submission.ended_at
        minutes = None if ended is None else (ended - submission.started_at).total_seconds() / 60
        yield (
            submission,
            SubmissionRow(
                name, submission.outcome, _expect(submission), submission.code, n_judgments, minutes, advice, why
            ),
        )


def _count_judgments(study: Study, submissions: Sequence[Submission]) -> dict[int, int]:
    """Return the number of judgments given in each visit: from its start to that of the next."""
    starts: defaultdict[str, list[tuple[datetime, int]]] = defaultdict(list)
    for submission in submissions:
        starts[submission.identity_hash].append((submission.started_at, submission.pk))
    for visits in starts.values():
        visits.sort()
    given = Judgment.objects.filter(rater__study=study).exclude(rater__identity_hash="").order_by()
    counts = dict.fromkeys((submission.pk for submission in submissions), 0)
    rows = given.values_list("rater__identity_hash", "assignment__submitted_at").annotate(n=Count("pk"))
    for one, submitted_at, n in rows.iterator():
        visits = starts.get(one, [])
        # Answers from before the first recorded visit, or without a time, belong to the first visit.
        place = bisect_right(visits, submitted_at, key=itemgetter(0)) - 1 if submitted_at else 0
        if visits:
            counts[visits[max(place, 0)][1]] += n
    return counts


def _expect(submission: Submission) -> str:
    if submission.panel != PanelKind.PROLIFIC:
        return "submitted" if submission.ended_at else "in progress"
    if submission.ended_at is None:
        return "ACTIVE or TIMED-OUT"
    if not submission.code:
        return "RETURNED"
    return "SCREENED OUT" if submission.outcome == RaterOutcome.NOT_QUALIFIED else "AWAITING REVIEW"


def _advise(submission: Submission, record: RaterRecord | None, *, n_judgments: int) -> tuple[str, str]:
    if submission.ended_at is None:
        return WAIT, "not ended"
    if not n_judgments:
        return RETURN, f"{submission.outcome}: no answers in this visit"
    if not submission.code and submission.panel == PanelKind.PROLIFIC:
        return RETURN, f"{submission.outcome}, no code was shown"
    if submission.outcome in (RaterOutcome.LEFT, RaterOutcome.CUT_SHORT):
        return PAY_WORK, f"{submission.outcome}: incomplete session; `payments` lists the amount for the work"
    if submission.outcome != RaterOutcome.FINISHED:
        return APPROVE, f"{submission.outcome}: pay for the work that was done"
    if record is not None and record.may_reject:
        return LOOK_AT, f"{record.n_attention_failed} attention checks failed; the panel's policy allows rejection"
    if record is not None and (record.excluded or record.broken):
        return APPROVE, "excluded or meets an exclusion criterion, which is not a reason to reject"
    return APPROVE, "finished"
