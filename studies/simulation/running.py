"""Runs a simulation in the process and the database of a copy: its raters, their clock and the report."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from heapq import heappop, heappush
from random import Random
from typing import Final

from django.conf import settings

from studies.collection.arrival.invitations import invite
from studies.collection.assignment import expire_leases
from studies.collection.lifecycle import open_study
from studies.design.study_design import StudyDesign
from studies.design.versions import load_newest_version
from studies.enums import PanelKind
from studies.models import Study
from studies.shared.clock import use_clock, use_generator
from studies.simulation.panels import PlayedPanel
from studies.simulation.perception import Perception, make_qualities
from studies.simulation.raters import PATTERN, ScriptedRater
from studies.simulation.report import SimulationReport, report_simulation

AT_ONCE: Final = 8
TASK_SECONDS: Final = 20.0
"""The expected duration of a task if the design states none."""


def simulate(study: Study, *, n_raters: int, seed: int, now: datetime) -> SimulationReport:
    """Open the study, let simulated raters use the real pages, and report the results and the cost.

    Args:
        study: A draft in a separate database.
        n_raters: The number of raters.
        seed: Determines pseudonyms, answers and durations, and so the entire report.
        now: The time when the first raters arrive.
    """
    open_study(study, now=now)
    design = StudyDesign.from_json(load_newest_version(study).design)
    raters = _make_raters(study, design, n_raters=n_raters, seed=seed, now=now)
    # Positions of checks depend on pseudonyms. In a copy, pseudonyms may be predictable.
    with use_generator(Random(f"{seed}/pseudonyms")):  # noqa: S311
        end = let_work(raters, now=now)
    # Raters who disappeared hold a task until its lease expires.
    expire_leases(study_id=study.pk, now=end + timedelta(minutes=design.lease_minutes))
    visits = [rater.describe_visit() for rater in raters]
    return report_simulation(study, design, visits, minutes=(end - now).total_seconds() / 60)


def let_work(raters: Sequence[ScriptedRater], *, now: datetime) -> datetime:
    """Let all raters work, some at a time, with a clock that jumps to the next step; return the final time."""
    work = [rater.work() for rater in raters]
    due = [(now, number) for number in range(min(AT_ONCE, len(raters)))]
    n_come = len(due)
    while due:
        now, number = heappop(due)
        with use_clock(lambda shown=now: shown):
            seconds = next(work[number], None)
        if seconds is not None:
            heappush(due, (now + timedelta(seconds=seconds), number))
        elif n_come < len(raters):
            heappush(due, (now, n_come))
            n_come += 1
    return now


def _make_raters(
    study: Study, design: StudyDesign, *, n_raters: int, seed: int, now: datetime
) -> Sequence[ScriptedRater]:
    played = _play_panel(study, design, n_raters=n_raters, now=now)
    qualities = make_qualities(study, seed=seed)
    return [
        ScriptedRater(
            number,
            behaviour=PATTERN[number % len(PATTERN)],
            link=f"/r/{study.join_token}/",
            played=played,
            task_seconds=float(design.task_seconds or TASK_SECONDS),
            rng=Random(f"{seed}/{number}"),  # noqa: S311 - the same simulation again
            perception=Perception.draw(qualities, seed=seed, number=number),
        )
        for number in range(n_raters)
    ]


def _play_panel(study: Study, design: StudyDesign, *, n_raters: int, now: datetime) -> PlayedPanel:
    if design.panel.kind != PanelKind.IN_HOUSE:
        return PlayedPanel(design.panel, host=next(iter(settings.ACCORDANCE_AMT_ORIGINS), ""))
    people = [f"person {number}" for number in range(n_raters)]
    invited = invite(study, people, now=now)
    return PlayedPanel(design.panel, invitations=tuple(one.token for one in invited))
