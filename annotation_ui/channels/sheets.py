"""What a researcher types into Prolific's form for a study, worked out from the design."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_UP, Decimal
from math import ceil
from typing import Final

from annotation_ui.channels.links import make_study_link
from annotation_ui.channels.prolific import PARTICIPANT, SESSION, STUDY
from studies.collection.assignments import count_session_tasks
from studies.design.design import Pay, StudyDesign
from studies.design.versions import load_newest_version
from studies.enums import RaterOutcome, TaskRole
from studies.models import Study, Task
from studies.monitoring.quality import SHORT_STUDY_SECONDS

_READING_MINUTES: Final = 1
_CENT: Final = Decimal("0.01")
_ACTIONS: Final[Mapping[RaterOutcome, str]] = {
    RaterOutcome.FINISHED: "approve automatically; or review by hand, if you look at checks first",
    RaterOutcome.NO_TASKS: "request a return: no task was left, and nothing was done",
    RaterOutcome.CUT_SHORT: "review by hand, and pay for the work that was done: others have the last tasks",
    RaterOutcome.LEFT: "review by hand, and pay for the time that was worked",
    RaterOutcome.NOT_QUALIFIED: "screen out, with a reward for the time of the qualification",
    RaterOutcome.DECLINED: "request a return",
}
_SECURED: Final = "  - Turn on the secured external URL, and let fetch_prolific_keys run daily."


@dataclass(frozen=True, slots=True)
class CodeLine:
    """One completion code; `code` is empty where the design has none, and Prolific then asks to return."""

    outcome: str
    code: str
    action: str


@dataclass(frozen=True, slots=True)
class ProlificSheet:
    """What to paste.

    Attributes:
        url: The study URL with Prolific's placeholders.
        codes: One for each outcome that a rater can go back with.
        minutes: The estimated time of one session; 0 if the design does not say what a task takes.
        currency: ISO 4217.
        reward: What the hourly wage comes to for that time, rounded up; None without a wage or a time.
        promised: The design's reward for a session.
        n_places: How many sessions all tasks need.
        is_short: Whether one failed attention check may justify a rejection.
        is_signed: Whether the design takes in only who comes by an address that Prolific has signed.
    """

    url: str
    codes: tuple[CodeLine, ...]
    minutes: int
    currency: str
    reward: Decimal | None
    promised: Decimal
    n_places: int
    is_short: bool
    is_signed: bool = False


def make_sheet(study: Study, *, base_url: str) -> ProlificSheet:
    """Work the sheet out. Raises ValueError for a base that is no server's address."""
    design = StudyDesign.from_json(load_newest_version(study).design)
    placeholders = {name: f"{{{{%{name}%}}}}" for name in (PARTICIPANT, STUDY, SESSION)}
    n_tasks, n_apart = _count_tasks(study, design)
    seconds = (n_tasks + n_apart) * design.task_seconds
    minutes = ceil(seconds / 60) + _READING_MINUTES if seconds else 0
    n_main = Task.objects.filter(study=study, role=TaskRole.MAIN).count()
    return ProlificSheet(
        url=make_study_link(study, base_url=base_url, query=placeholders, safe="{}%"),
        codes=tuple(CodeLine(outcome, design.panel.find_code(outcome), action) for outcome, action in _ACTIONS.items()),
        minutes=minutes,
        currency=design.pay.currency,
        reward=_price(design.pay, minutes),
        promised=Decimal(str(design.pay.reward)),
        n_places=ceil(n_main * design.raters_per_task / n_tasks) if n_tasks else 0,
        is_short=0 < seconds < SHORT_STUDY_SECONDS,
        is_signed=design.panel.is_signed,
    )


def print_sheet(sheet: ProlificSheet) -> str:
    """Return the sheet as text."""
    codes = [
        f"  {line.outcome}: {line.code} -> {line.action}"
        if line.code
        else f"  {line.outcome}: no code in the design; Prolific asks to return the submission"
        for line in sheet.codes
    ]
    n_failed = "one failed check" if sheet.is_short else "two failed checks (one is not enough in a study this long)"
    time = f"{sheet.minutes} minutes" if sheet.minutes else "unknown: the design says nothing of task_seconds"
    return "\n".join(
        [
            "Study URL (choose: I'll use URL parameters)",
            f"  {sheet.url}",
            "Completion codes and what each is to do (choose: redirect with a URL)",
            *codes,
            f"Estimated time: {time}",
            f"Reward: {_say_reward(sheet)}",
            f"Places: {sheet.n_places} (they can grow later, and never shrink)",
            "Before you publish",
            *(
                ["  - Turn on the secured external URL, and let fetch_prolific_keys run daily."]
                if sheet.is_signed
                else []
            ),
            "  - Pilot with a few places and set time and reward by the measured median.",
            "  - Most fields freeze on publication; submissions are approved by themselves after 21 days.",
            "  - An attention check says in the question itself what to answer; no memory tests, no small print.",
            f"  - A rejection needs {n_failed}, a category and 100 characters of reason.",
            "  - Who fails the qualification had two attempts and is asked to return, never rejected.",
            "  - Low agreement, speed or a declared rule is a reason to leave somebody out, and none to reject.",
        ]
    )


def _count_tasks(study: Study, design: StudyDesign) -> tuple[int, int]:
    """Return how many main tasks a session has, and how many others come with them."""
    roles = list(Task.objects.filter(study=study).values_list("role", flat=True))
    n_main = count_session_tasks(study, design=design)
    n_checks = roles.count(TaskRole.GOLD) + roles.count(TaskRole.ATTENTION)
    due = min(n_checks, n_main // design.checks.every) if design.checks.every else 0
    return n_main, due + roles.count(TaskRole.TRAINING) + roles.count(TaskRole.QUALIFICATION)


def _price(pay: Pay, minutes: int) -> Decimal | None:
    if not pay.hourly_wage or not minutes:
        return None
    return (Decimal(str(pay.hourly_wage)) * minutes / 60).quantize(_CENT, rounding=ROUND_UP)


def _say_reward(sheet: ProlificSheet) -> str:
    promised = f"the design promises {sheet.promised:.2f} {sheet.currency}"
    if sheet.reward is None:
        return f"{promised}; no hourly wage or no time is known to check it by"
    low = ", which is LESS: raise it" if sheet.promised < sheet.reward else ""
    return f"{sheet.reward:.2f} {sheet.currency} by the hourly wage and the estimated time; {promised}{low}"
