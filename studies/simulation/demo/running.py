"""Loads, scores and correlates the demo in one call."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
from django.contrib.auth import get_user_model
from django.db import transaction

from studies.analysis.reports import Correlated, correlate_study
from studies.enums import StudyState, TaskKind
from studies.models import Study
from studies.scoring.plugins.catalog import load_plugins
from studies.scoring.study_scoring import ScoringOptions, score_study
from studies.simulation.demo.content import read_content
from studies.simulation.demo.designs import STUDIES
from studies.simulation.demo.loading import load_demo
from studies.simulation.demo.worlds import load_worlds_demo

USERNAME = "demo"
SEED = 1


@dataclass(frozen=True, slots=True)
class DemoResult:
    """The content of the demo, and its login.

    Attributes:
        username, password: The login; every call sets a new password.
        open_studies, closed_studies: Studies with free slots for visitors, and those judged by simulated raters or by
            computed truth.
        results: The results of each closed study, in the same order; empty if no metric scores its items, or if
            captions are written instead of judged.
        failures: Metrics that failed, each with its error.
        left_out: Metrics that were left out, each with what they lack.
    """

    username: str
    password: str
    open_studies: tuple[Study, ...]
    closed_studies: tuple[Study, ...]
    results: tuple[Correlated, ...]
    failures: tuple[tuple[str, str], ...]
    left_out: tuple[tuple[str, str], ...]


def run_demo(folder: Path, *, now: Callable[[], datetime]) -> DemoResult:
    """Load, score and correlate the demo; existing content is kept, except for the password.

    Raises:
        DemoNameTaken: A user's data have a name that the demo uses; nothing was changed.
    """
    registry = load_plugins()
    password = secrets.token_urlsafe(12)
    with transaction.atomic():
        owner = _make_user(password)
        studies = load_demo(read_content(folder), owner=owner, now=now(), rng=np.random.default_rng(SEED))
        worlds = load_worlds_demo(owner=owner, now=now())
    reports = [
        score_study(first, now=now, registry=registry, options=ScoringOptions()) for first in (studies[0], worlds[0])
    ]
    simulated = {study.name for study in STUDIES if study.is_simulated}
    studies += worlds
    closed = tuple(study for study in studies if study.name in simulated or study.is_computed)
    return DemoResult(
        username=USERNAME,
        password=password,
        open_studies=tuple(study for study in studies if study.state == StudyState.OPEN),
        closed_studies=closed,
        results=tuple(
            Correlated(study.name, study.protocol)
            if study.kind == TaskKind.CAPTION
            else correlate_study(study, registry=registry)
            for study in closed
        ),
        failures=tuple(dict.fromkeys(each for report in reports for each in report.failures)),
        left_out=tuple(dict.fromkeys(each for report in reports for each in report.left_out)),
    )


def _make_user(password: str) -> Any:
    user, _ = get_user_model().objects.get_or_create(
        username=USERNAME, defaults={"is_staff": True, "is_superuser": True}
    )
    user.set_password(password)
    user.save()
    return user
