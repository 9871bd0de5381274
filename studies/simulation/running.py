"""A whole simulation: the raters, their clock, and what came of it. Runs in the copy's own process and database."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from heapq import heappop, heappush
from random import Random
from typing import Final

from django.conf import settings

from studies.collection.arrival.inviting import invite
from studies.collection.assigning import expire_leases
from studies.collection.lifecycle import open_study
from studies.design.design import StudyDesign
from studies.design.versions import load_newest_version
from studies.enums import PanelKind
from studies.models import Study
from studies.shared.clock import use_clock, use_generator
from studies.simulation.panels import PlayedPanel
from studies.simulation.perceiving import Perception, make_qualities
from studies.simulation.raters import PATTERN, ScriptedRater
from studies.simulation.reporting import SimulationReport, report_simulation

AT_ONCE: Final = 8
TASK_SECONDS: Final = 20.0
"""What a task takes if the design does not say."""


def simulate(study: Study, *, n_raters: int, seed: int, now: datetime) -> SimulationReport:
    """Open the study, let scripted raters work at the real pages, and report what a researcher would get and pay.

    Args:
        study: A draft in a database of its own, which nobody else uses.
        n_raters: How many come.
        seed: Fixes who comes how, what they answer, and how long it takes them.
        now: When the first ones come.
    """
    open_study(study, now=now)
    design = StudyDesign.from_json(load_newest_version(study).design)
    raters = _make_raters(study, design, n_raters=n_raters, seed=seed, now=now)
    # Positions of checks depend on pseudonyms, which nobody needs to be unable to guess in a copy.
    with use_generator(Random(f"{seed}/pseudonyms")):  # noqa: S311
        end = let_work(raters, now=now)
    # Whoever vanished holds a task until its time is over.
    expire_leases(study_id=study.pk, now=end + timedelta(minutes=design.lease_minutes))
    visits = [rater.describe_visit() for rater in raters]
    return report_simulation(study, design, visits, minutes=(end - now).total_seconds() / 60)


def let_work(raters: Sequence[ScriptedRater], *, now: datetime) -> datetime:
    """Let all raters work, some at a time, by a clock that goes on to whoever is next; return what it shows at last."""
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
