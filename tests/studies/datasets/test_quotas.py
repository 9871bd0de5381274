"""Tests of the quota of studies for every way to create one, also for concurrent requests."""

import ast
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest
from django.conf import settings as django_settings
from django.db import connection
from django.utils import timezone

from studies.access.audit import Actor
from studies.access.offers import offer_study
from studies.datasets.cloning import clone_study
from studies.datasets.importing.given import import_rows
from studies.enums import Interface
from studies.models import Dataset, Study
from studies.shared.errors import ImportFailed
from studies.simulation.trials import CannotSimulate, make_trial
from tests.factories.open_studies import make_designed_study
from tests.factories.studies import NOW, make_user
from tests.studies.simulation.test_trials import answer_all, play

ROWS = [{"image": "one", "system": "first", "candidate": "A dog.", "value": 1, "rater": "ann"}]
NO_MORE = "may own at most 1 studies; ask the operator for a higher limit, got 1"
OF_COMMANDS = {
    "studies/publishing/bundles/importing.py": "rebuild",
    "studies/simulation/demo/loading.py": "demo",
}


def _clone(study, user, *, name="clone", interface=Interface.PAGE):
    return clone_study(study, name=name, title="Clone", now=NOW, actor=Actor(user, interface), owner=user)


def _import(user, *, interface=Interface.API):
    actor = Actor(user, interface)
    return import_rows("given", rows=ROWS, references={"one": ["A."]}, scale="", protocol="", actor=actor, now=NOW)


def _own(study, user):
    Study.objects.filter(pk=study.pk).update(owner=user)
    study.refresh_from_db()
    return study


@pytest.mark.django_db
def test_clones_imports_and_trials_are_counted(settings) -> None:
    settings.ACCORDANCE_ACCOUNT_STUDIES, user = 1, make_user("full")
    study = _own(make_designed_study(has_anchors=True), user)
    simulation = play(study, answer_all(study))

    with pytest.raises(ImportFailed, match=NO_MORE):
        _clone(study, user)
    with pytest.raises(ImportFailed, match=NO_MORE):
        _import(user)
    with pytest.raises(CannotSimulate, match=NO_MORE):
        make_trial(simulation, actor=Actor(user, Interface.API), now=NOW)

    assert (Study.objects.count(), Dataset.objects.count()) == (1, 1)
    # An operator's command is not bounded.
    _clone(study, user, interface=Interface.COMMAND)
    assert Study.objects.filter(owner=user).count() == 2


@pytest.mark.django_db
def test_files_of_a_clone_count_once_for_each_account(settings) -> None:
    settings.ACCORDANCE_ACCOUNT_STUDIES, settings.ACCORDANCE_ACCOUNT_MB = 0, 1
    study = _own(make_designed_study(), make_user("first"))
    Dataset.objects.update(n_bytes=(1 << 20) - 1)
    other = make_user("other")

    _clone(study, study.owner)
    _clone(study, other, name="others")
    Dataset.objects.update(n_bytes=(1 << 20) + 1)
    with pytest.raises(ImportFailed, match="may store at most 1 MB"):
        _clone(Study.objects.get(pk=study.pk), make_user("third"), name="thirds")

    assert sorted(Study.objects.values_list("owner__username", flat=True)) == ["first", "first", "other"]


@pytest.mark.django_db(transaction=True)
def test_the_last_location_is_taken_once(settings) -> None:
    settings.ACCORDANCE_ACCOUNT_STUDIES, user = 2, make_user("racer")
    study, start = _own(make_designed_study(), user), Barrier(4)

    def race(number):
        try:
            start.wait(timeout=30)
            return bool(_clone(study, user, name=f"clone-{number}"))
        except ImportFailed:
            return False
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as racers:
        made = list(racers.map(race, range(4)))

    assert (sorted(made), Study.objects.filter(owner=user).count()) == ([False, False, False, True], 2)


def test_all_code_that_creates_studies_checks_the_quota() -> None:
    makers = {}
    for app in ("studies", "annotation_ui", "jobs"):
        for path in (Path(django_settings.BASE_DIR) / app).rglob("*.py"):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            called = [ast.unparse(each.func) for each in ast.walk(tree) if isinstance(each, ast.Call)]
            if any(_makes_study(name) for name in called):
                makers[str(path.relative_to(django_settings.BASE_DIR))] = "check_new_study" in called

    assert {path for path, asks in makers.items() if not asks} == set(OF_COMMANDS)
    assert sum(makers.values()) == 3


def _makes_study(called: str) -> bool:
    model, _, method = called.partition(".")
    return model == "Study" and (not method or method.endswith(("create", "bulk_create", "get_or_create")))


@pytest.mark.django_db
def test_a_study_that_is_accepted_is_counted(client, settings) -> None:
    settings.ACCORDANCE_ACCOUNT_STUDIES, user = 1, make_user("full")
    own, offered = _own(make_designed_study("own"), user), _own(make_designed_study("offered"), make_user("ada"))
    offer = offer_study(offered, username="full", actor=Actor(offered.owner, Interface.PAGE), now=timezone.now())
    client.force_login(user)

    by_page = client.post(f"/offers/{offer.pk}/accept/", follow=True)
    by_api = client.post(f"/api/v1/offers/{offer.pk}/accept/")

    assert NO_MORE in by_page.content.decode()
    assert (by_api.status_code, NO_MORE in by_api.json()["detail"]) == (400, True)
    assert list(Study.objects.filter(owner=user)) == [own]
