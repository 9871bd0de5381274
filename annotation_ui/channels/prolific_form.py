"""The settings of a study at Prolific, derived from its design for a researcher to enter there."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_UP, Decimal
from math import ceil
from typing import Final

from annotation_ui.channels.prolific import PARTICIPANT, SESSION, STUDY
from annotation_ui.channels.study_links import make_study_link
from studies.collection.assignment.rater_assignments import count_session_tasks
from studies.design.completion_codes import find_completion_code
from studies.design.study_design import Pay, StudyDesign
from studies.design.versions import load_newest_version
from studies.enums import RaterOutcome, TaskRole
from studies.models import Study, Task
from studies.monitoring.quality import SHORT_STUDY_SECONDS

_READING_MINUTES: Final = 1
_CENT: Final = Decimal("0.01")
_ACTIONS: Final[Mapping[RaterOutcome, str]] = {
    RaterOutcome.FINISHED: "approve automatically, or review manually if you want to look at the checks first",
    RaterOutcome.NO_TASKS: "request a return: no tasks were left, and no work was done",
    RaterOutcome.CUT_SHORT: "review manually, and pay for the work that was done: no tasks were left",
    RaterOutcome.LEFT: "review manually, and pay for the time worked",
    RaterOutcome.NOT_QUALIFIED: "screen out, with a reward for the time of the qualification",
    RaterOutcome.DECLINED: "request a return",
}
_UNKNOWN: Final = "unknown: the design does not set eligibility, which papers must report"
_SECURED: Final = "Turn on the secured external URL, and let fetch_prolific_keys run daily."


@dataclass(frozen=True, slots=True)
class CodeLine:
    """A completion code; `code` is empty if the design has none, and Prolific then asks to return the submission."""

    outcome: str
    code: str
    action: str


@dataclass(frozen=True, slots=True)
class ProlificSheet:
    """The settings to enter.

    Attributes:
        url: The study URL with Prolific's placeholders.
        codes: The completion code for each outcome.
        minutes: The estimated duration of a session; 0 if the design has no time per task.
        currency: The currency code (ISO 4217).
        reward: The hourly wage for this time, rounded up; None without a wage or a time.
        promised: The design's reward for a session.
        n_places: The number of sessions needed for all tasks.
        is_short: Whether a single failed attention check may justify a rejection.
        is_signed: Whether the design requires addresses signed by Prolific.
        eligibility: Who can take part, in words; empty if the design does not say.
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
    eligibility: str = ""

    @property
    def reward_text(self) -> str:
        """What the reward must be, and what the design promises, in words."""
        promised = f"the design promises {self.promised:.2f} {self.currency}"
        if self.reward is None:
            return f"{promised}; cannot be checked without an hourly wage and a task time"
        low = ", which is LOWER: raise it" if self.promised < self.reward else ""
        return f"{self.reward:.2f} {self.currency} from the hourly wage and the estimated time; {promised}{low}"


def make_sheet(study: Study, *, base_url: str) -> ProlificSheet:
    """Return the sheet of a study. Raises ValueError if `base_url` is not the address of a server."""
    design = StudyDesign.from_json(load_newest_version(study).design)
    placeholders = {name: f"{{{{%{name}%}}}}" for name in (PARTICIPANT, STUDY, SESSION)}
    n_tasks, n_apart = _count_tasks(study, design)
    seconds = (n_tasks + n_apart) * design.task_seconds
    minutes = ceil(seconds / 60) + _READING_MINUTES if seconds else 0
    n_main = Task.objects.filter(study=study, role=TaskRole.MAIN).count()
    return ProlificSheet(
        url=make_study_link(study, base_url=base_url, query=placeholders, safe="{}%"),
        codes=tuple(
            CodeLine(outcome, find_completion_code(design.panel, outcome), action)
            for outcome, action in _ACTIONS.items()
        ),
        minutes=minutes,
        currency=design.pay.currency,
        reward=_price(design.pay, minutes),
        promised=Decimal(str(design.pay.reward)),
        n_places=ceil(n_main * design.raters_per_task / n_tasks) if n_tasks else 0,
        is_short=0 < seconds < SHORT_STUDY_SECONDS,
        is_signed=design.panel.is_signed,
        eligibility=design.eligibility,
    )


def print_sheet(sheet: ProlificSheet) -> str:
    """Return the sheet as text."""
    codes = [
        f"  {line.outcome}: {line.code} -> {line.action}"
        if line.code
        else f"  {line.outcome}: no code in the design; Prolific asks participants to return the submission"
        for line in sheet.codes
    ]
    time = f"{sheet.minutes} minutes" if sheet.minutes else "unknown: the design does not set task_seconds"
    return "\n".join(
        [
            "Study URL (choose: I'll use URL parameters)",
            f"  {sheet.url}",
            "Completion codes and the action for each (choose: redirect with a URL)",
            *codes,
            f"Estimated time: {time}",
            f"Reward: {sheet.reward_text}",
            f"Places: {sheet.n_places} (can be increased later, but not reduced)",
            "Who can take part (choose: prescreeners)",
            *(f"  {line}" for line in (sheet.eligibility or _UNKNOWN).splitlines()),
            "Before you publish",
            *(f"  - {reminder}" for reminder in list_reminders(sheet)),
        ]
    )


def list_reminders(sheet: ProlificSheet) -> tuple[str, ...]:
    """Return Prolific's rules that matter before a study is published, each a sentence."""
    n_failed = "one failed check" if sheet.is_short else "two failed checks (one is not enough in a study this long)"
    return (
        *((_SECURED,) if sheet.is_signed else ()),
        "Run a pilot with a few places, and set the time and reward from the measured median.",
        "Most fields cannot be changed after publication; submissions are approved automatically after 21 days.",
        "An attention check must state the required answer in the question itself; no memory tests, no small print.",
        f"A rejection needs {n_failed}, a category and 100 characters of reason.",
        "Participants who fail the qualification have had two attempts; ask them to return the submission, never "
        "reject it.",
        "Low agreement, speed or an exclusion criterion is a reason to exclude somebody, but not to reject.",
    )


def _count_tasks(study: Study, design: StudyDesign) -> tuple[int, int]:
    """Return the number of main tasks in a session, and the number of other tasks."""
    roles = list(Task.objects.filter(study=study).values_list("role", flat=True))
    n_main = count_session_tasks(study, design=design)
    n_checks = roles.count(TaskRole.GOLD) + roles.count(TaskRole.ATTENTION)
    due = min(n_checks, n_main // design.checks.every) if design.checks.every else 0
    return n_main, due + roles.count(TaskRole.TRAINING) + roles.count(TaskRole.QUALIFICATION)


def _price(pay: Pay, minutes: int) -> Decimal | None:
    if not pay.hourly_wage or not minutes:
        return None
    return (Decimal(str(pay.hourly_wage)) * minutes / 60).quantize(_CENT, rounding=ROUND_UP)
