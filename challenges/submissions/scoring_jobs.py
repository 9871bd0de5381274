"""The background job that validates and scores a submission."""

from datetime import datetime
from typing import Any, Final

from django.db import transaction

from challenges.baselines.making import adapt_measures, make_captions
from challenges.board.interval_jobs import queue_intervals
from challenges.enums import ENDED, SubmissionState
from challenges.errors import ChallengeRefused
from challenges.models import Submission
from challenges.rules import VIEW_SUBMISSION
from challenges.submissions.cancelling import clean_up
from challenges.submissions.mailing import mail_end
from challenges.submissions.scoring import find_images, keep_score, list_measures, score_measure
from challenges.submissions.webhooks import queue_webhooks
from jobs.errors import WorkFailed
from jobs.models import Job
from jobs.registry import Kind, register, with_right
from jobs.requests import request_job
from jobs.running_job import JobHandle
from metrics_plugins.readers.results import ResultsError, ResultsFile, read_results

MOST_SECONDS: Final = 2 * 3600.0
ALLOWS_EMPTY: Final = True
"""Whether results may have captions without text, as published results of COCO do."""
_UNSCORED: Final = "No metric could be computed. Ask the hosts to look into it; the submission does not count."
_LOST: Final = "The server could not finish scoring. The submission does not count: please submit the file again."


def queue_scoring(submission: Submission, *, now: datetime, again: bool = False) -> Job:
    """Queue the scoring of a submission; `again` computes scores that exist already.

    Raises:
        JobUnderWay: It is being scored.
    """
    payload = {"submission": submission.pk, "again": again}
    return request_job(SCORE_SUBMISSION, account=None, payload=payload, key=str(submission.pk), now=now)


def read_submission(submission: Submission) -> ResultsFile:
    """Read the file of a submission, for the images of its phase.

    Raises:
        ResultsError: It is invalid or incomplete.
    """
    phase = submission.phase
    with submission.file.open("rb") as file:
        return read_results(
            file,
            image_ids=list(find_images(phase).values_list("key", flat=True)),
            captions_per_image=phase.captions_per_image,
            allow_empty=ALLOWS_EMPTY,
        )


def _work(handle: JobHandle) -> None:
    submission = _find(handle.job)
    again = bool(handle.payload["again"])
    if submission is None or (submission.state in ENDED and not (again and submission.state == SubmissionState.SCORED)):
        raise WorkFailed("the submission no longer exists, or is over")
    try:
        make_captions(submission)
        results = read_submission(submission)
        adapted = adapt_measures(list_measures(submission.phase), submission=submission, results=results)
        all_measures = list(adapted)
    except ResultsError as error:
        _end(handle, submission, SubmissionState.FAILED, reason=_describe(error))
        return
    except ChallengeRefused as refusal:
        # Of baselines only, which nobody but the hosts see.
        _end(handle, submission, SubmissionState.FAILED, reason=str(refusal))
        return
    _move(handle, submission, SubmissionState.VALIDATED)
    _move(handle, submission, SubmissionState.SCORING)
    known = set() if again else set(submission.scores.values_list("references", "metric"))
    measures = [each for each in all_measures if each.key not in known]
    unscored = []
    for number, measure in enumerate(measures):
        # While a submission has no score it can be cancelled, and then must not tell which metrics failed.
        if number == len(unscored) and not known:
            handle.report("Scoring.", n_total=len(measures))
        else:
            handle.report(f"Scoring {measure.metric}.", n_done=number, n_total=len(measures))
        score = score_measure(measure, results=results)
        if score is None:
            unscored.append(f"{measure.metric} ({measure.references})")
            continue
        with transaction.atomic():
            handle.hold()
            # A submission that was cancelled meanwhile gets no score.
            locked = Submission.objects.select_for_update().get(pk=submission.pk)
            if locked.state == SubmissionState.CANCELLED:
                raise WorkFailed("the submission was cancelled")
            keep_score(submission, score)
    # Reasons name metrics only: what a metric says may quote references.
    reason = f"Could not be computed: {', '.join(unscored)}." if unscored else ""
    if submission.scores.exists():
        _end(handle, submission, SubmissionState.SCORED, reason=reason)
    else:
        _end(handle, submission, SubmissionState.FAILED, reason=_UNSCORED)


def _find(job: Job) -> Submission | None:
    found = Submission.objects.select_related("phase__challenge__dataset", "team__challenge", "baseline")
    return found.filter(pk=job.payload["submission"]).first()


def _describe(error: ResultsError) -> str:
    more = error.count - len(error.problems)
    return "\n".join([*map(str, error.problems), *([f"and {more:,} more"] if more else [])])


def _move(handle: JobHandle, submission: Submission, state: SubmissionState) -> None:
    """Move a submission on, unless it has ended."""
    with transaction.atomic():
        handle.hold()
        Submission.objects.filter(pk=submission.pk).exclude(state__in=ENDED).update(state=state)


def _end(handle: JobHandle, submission: Submission, state: SubmissionState, *, reason: str) -> None:
    with transaction.atomic():
        handle.hold()
        open_ones = Submission.objects.filter(pk=submission.pk).exclude(
            state__in=(SubmissionState.CANCELLED, SubmissionState.FAILED)
        )
        if submission.state == SubmissionState.SCORED:
            # Scored again: it ended long ago.
            open_ones.update(reason=reason)
        else:
            if open_ones.update(state=state, reason=reason, finished_at=handle.now()):
                submission.state = state
                _announce(submission, now=handle.now())
        queue_intervals(submission.phase, now=handle.now())
        handle.finish()


def _on_end(job: Job) -> None:
    """End the submission of a job that was lost or failed; with any score it is scored, since that was seen."""
    # Locked, so that one that is being cancelled at the same time stays cancelled.
    found = Submission.objects.select_for_update().exclude(state__in=ENDED)
    submission = found.filter(pk=job.payload["submission"]).first()
    if submission is None:
        return
    if submission.scores.exists():
        submission.state, submission.reason = SubmissionState.SCORED, "Some metrics could not be computed."
    else:
        submission.state, submission.reason = SubmissionState.FAILED, _LOST
    submission.finished_at = job.finished_at
    submission.save(update_fields=["state", "reason", "finished_at"])
    queue_intervals(submission.phase, now=submission.finished_at)
    _announce(submission, now=submission.finished_at)


def _announce(submission: Submission, *, now: datetime) -> None:
    """Tell programs and members that a submission has ended; a mail server that fails is logged and changes nothing."""
    queue_webhooks(submission, now=now)
    number = submission.pk
    # A function of its own, since Django names it in the log.
    transaction.on_commit(lambda: _mail(number), robust=True)


def _mail(number: int) -> None:
    submission = Submission.objects.select_related("phase__challenge", "team").filter(pk=number).first()
    if submission is not None and submission.state in (SubmissionState.SCORED, SubmissionState.FAILED):
        mail_end(submission)


def _may_cancel(user: Any, _: Job) -> bool:
    # A submission is cancelled by `cancel_submission`, which knows whether it counts.
    return bool(user.is_staff)


SCORE_SUBMISSION: Final = register(
    Kind(
        name="score-submission",
        title="Scoring a submission",
        lane="challenges",
        work=_work,
        seconds=MOST_SECONDS,
        on_end=_on_end,
        may_see=with_right(VIEW_SUBMISSION, to=_find),
        may_cancel=_may_cancel,
        clean=clean_up,
        # Only bundled metrics run here; loading them takes as long as scoring a small file.
        stays=True,
    )
)
