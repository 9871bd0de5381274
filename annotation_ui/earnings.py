"""What raters are told about minutes and pay before they consent."""

from dataclasses import dataclass

from studies.design.study_design import StudyDesign


@dataclass(frozen=True, slots=True)
class Earnings:
    """The pay of a session, which is the whole study if it has no sessions.

    Attributes:
        is_paid: Whether raters earn anything.
        session_minutes: The expected minutes of a session; 0 if it is the whole study, or if they are unknown.
        hourly: The reward per hour at the expected duration; 0 if it is unknown or nothing is paid by the session.
    """

    is_paid: bool
    session_minutes: int
    hourly: float


def describe_earnings(design: StudyDesign, *, n_tasks: int) -> Earnings:
    """Return the pay for a study in which a rater gets up to `n_tasks` tasks."""
    pay, n_paid = design.pay, min(design.tasks_per_session or n_tasks, n_tasks)
    seconds = n_paid * design.task_seconds
    return Earnings(
        is_paid=bool(pay.reward or pay.hourly_wage),
        session_minutes=max(1, round(seconds / 60)) if design.tasks_per_session and seconds else 0,
        hourly=pay.reward * 3600 / seconds if seconds else 0.0,
    )
