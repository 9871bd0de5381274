"""Loads and scores the demo in one call, and freezes a report on its ratings."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np
from django.contrib.auth import get_user_model
from django.db import transaction

from studies.access.audit import COMMAND_LINE
from studies.access.publicity import set_report_public
from studies.analysis.correlations import gather_observations
from studies.analysis.reports import report_observations
from studies.enums import StudyState
from studies.models import Study
from studies.publishing.report_jobs import ReportChoices, keep_report
from studies.scoring.pipeline import Watch
from studies.scoring.plugins.catalog import load_plugins
from studies.scoring.run_lists import list_scored_metrics
from studies.scoring.study_scoring import ScoringOptions, score_study
from studies.shared.reports import request_default_report
from studies.simulation.demo.content import DATA, read_content
from studies.simulation.demo.designs import STUDIES
from studies.simulation.demo.loading import load_demo
from studies.simulation.demo.worlds import load_worlds_demo

USERNAME = "demo"
SEED = 1
REPORTED = ("length", "bleu-4", "rouge-l", "meteor", "cider-d", "spice")
"""The metrics of the report, as far as they are installed."""


@dataclass(frozen=True, slots=True)
class DemoResult:
    """The content of the demo, and its login.

    Attributes:
        username, password: The login; every call sets a new password.
        open_studies, closed_studies: Studies with free slots for visitors, and those judged by simulated raters or by
            computed truth.
        reported: The study with a frozen, public report.
        failures: Metrics that failed, each with its error.
        left_out: Metrics that were left out, each with what they lack.
    """

    username: str
    password: str
    open_studies: tuple[Study, ...]
    closed_studies: tuple[Study, ...]
    reported: Study
    failures: tuple[tuple[str, str], ...]
    left_out: tuple[tuple[str, str], ...]


def run_demo(
    *, now: Callable[[], datetime], say: Callable[[str], None] = lambda _: None, watch: Watch | None = None
) -> DemoResult:
    """Load and score the demo, and freeze a report; existing content is kept, except for the password.

    Args:
        now: The clock.
        say: Is told each step when it begins.
        watch: Is told the progress of scoring.

    Raises:
        DemoNameTaken: A user's data have a name that the demo uses; nothing was changed.
    """
    registry = load_plugins()
    password = secrets.token_urlsafe(12)
    say("images, studies and judgments")
    with transaction.atomic():
        owner = _make_user(password)
        studies = load_demo(read_content(DATA), owner=owner, now=now(), rng=np.random.default_rng(SEED))
        worlds = load_worlds_demo(owner=owner, now=now())
    ratings = studies[0]
    reports = []
    for first in (ratings, worlds[0]):
        say(f"scores of metrics for {first.title}")
        reports.append(score_study(first, now=now, registry=registry, options=ScoringOptions(), watch=watch or Watch()))
    if not ratings.reports.exists():
        say("a report with intervals and tests")
        _freeze_report(ratings, now=now())
    simulated = {study.name for study in STUDIES if study.is_simulated}
    studies += worlds
    closed = tuple(study for study in studies if study.name in simulated or study.is_computed)
    return DemoResult(
        username=USERNAME,
        password=password,
        open_studies=tuple(study for study in studies if study.state == StudyState.OPEN),
        closed_studies=closed,
        reported=ratings,
        failures=tuple(dict.fromkeys(each for report in reports for each in report.failures)),
        left_out=tuple(dict.fromkeys(each for report in reports for each in report.left_out)),
    )


def request_intervals(demo: DemoResult, *, now: Callable[[], datetime]) -> None:
    """Queue the intervals of the reported study, to which the front page leads.

    With all metrics of the demo they take minutes, so that a worker computes them while the pages are served. Those of
    other studies are computed when somebody looks at them: a visitor's own first study would wait behind all of them.
    """
    request_default_report(demo.reported, now=now())


def _freeze_report(study: Study, *, now: datetime) -> None:
    """Freeze a public report with the intervals, tests and ceiling that a report has by default."""
    scored = list_scored_metrics(study)
    gathered = gather_observations(study, metrics=[metric for metric in REPORTED if metric in scored])
    chosen = ReportChoices().choose_inference(study, gathered.protocol, n_metrics=len(gathered.metrics))
    report = report_observations(gathered, interval=chosen.interval, comparison=chosen.comparison, seed=SEED)
    set_report_public(keep_report(gathered, report, now=now), True, actor=COMMAND_LINE, now=now)


def _make_user(password: str) -> Any:
    user, _ = get_user_model().objects.get_or_create(
        username=USERNAME, defaults={"is_staff": True, "is_superuser": True}
    )
    user.set_password(password)
    user.save()
    return user
