"""What to do next in a study, for its overview."""

from dataclasses import dataclass
from typing import Final

from correlation.reports import Report
from studies.design.study_lists import StudyProgress
from studies.enums import StudyState
from studies.models import Study

_ITEMS: Final = "studies:disagreements"
_EXPLORER: Final = "studies:explore"
_REPORTS: Final = "studies:reports"


@dataclass(frozen=True, slots=True)
class NextStep:
    """One step: its title, why it is due, and the URL name of its page; `anchor` is a part of that page."""

    title: str
    reason: str
    page: str
    anchor: str = ""


def list_next_steps(
    study: Study,
    *,
    progress: StudyProgress | None,
    n_judgments: int,
    report: Report | None,
    may_change: bool,
    may_analyse: bool,
) -> tuple[NextStep, ...]:
    """Return the steps in the order in which they are due.

    Args:
        progress: The study's planned and filled slots; None if they are not counted yet.
        n_judgments: The number of the study's judgments.
        report: The agreement of metrics with people; None without scores.
        may_change: Whether the viewer may change the study.
        may_analyse: Whether the viewer may run metrics and freeze reports.
    """
    steps = list(_list_collecting(study, progress)) if may_change and not study.is_computed else []
    if n_judgments and report is None and may_analyse:
        steps.append(NextStep("Run metrics", "There are judgments but no scores to compare them with.", "studies:runs"))
    if report is None or not n_judgments:
        return tuple(steps)
    if may_change and all(row.caution for row in report.rows):
        caution = report.cautions[0]
        steps.append(NextStep("Plan more items", f"{caution[:1].upper()}{caution[1:]}.", "studies:planner"))
    steps += [
        NextStep("Look at disagreements", "Read the captions that metrics and people judge differently.", _ITEMS),
        NextStep("Vary the analysis", "See whether the answer holds for other measures and raters.", _EXPLORER),
    ]
    if may_analyse:
        steps.append(NextStep("Freeze a report", "Keep these numbers unchanged, to share and to cite.", _REPORTS))
    return tuple(steps)


def _list_collecting(study: Study, progress: StudyProgress | None) -> tuple[NextStep, ...]:
    if study.state == StudyState.DRAFT:
        return (
            NextStep("Complete the design", "It can be preregistered until the study is opened.", "studies:design"),
            NextStep("Open the study", "Then raters can judge.", "studies:study", "raters-title"),
        )
    if study.state != StudyState.OPEN or progress is None or not progress.planned:
        return ()
    free = progress.planned - progress.filled
    if free > 0:
        free_slots = f"{free:,} of {progress.planned:,} slots are still free."
        return (NextStep("Invite raters", free_slots, "recruiting:raters"),)
    return (NextStep("Close the study", "All slots are filled.", "studies:study", "raters-title"),)
