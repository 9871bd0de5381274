"""Tests that the schema describes the API, and that no request causes an internal error."""

import pytest
from django.core.management import call_command
from django.db import transaction
from django.utils import timezone
from drf_spectacular.generators import SchemaGenerator

from studies.access.audit import Actor
from studies.access.tokens import make_token
from studies.analysis.correlations import gather_observations
from studies.analysis.reports import report_observations
from studies.enums import Interface, MemberRole
from studies.publishing.freezing import freeze_report
from tests.factories.studies import NOW, make_member, make_study, make_user
from tests.studies.api.drawn_requests import send_all
from tests.studies.page_rights import judge_two_systems
from tests.studies.scored import list_items, make_scored_study


@pytest.fixture
def _no_limit(settings):
    settings.ACCORDANCE_API_PER_MINUTE = 0


def test_the_schema_is_valid_and_complete(tmp_path):
    call_command("spectacular", "--validate", "--fail-on-warn", file=str(tmp_path / "schema.yml"))

    assert "/api/v1/studies/{name}/correlate/" in (tmp_path / "schema.yml").read_text()


@pytest.mark.django_db
def test_every_body_has_an_example_that_is_taken(client, settings):
    settings.ACCORDANCE_WEBHOOK_HOSTS = ["hooks.example.org"]
    study = make_scored_study(owner=make_user("owner"))
    make_member(study, make_user("viewer"))
    make_study("unjudged", owner=study.owner)
    report = freeze_report(study, report_observations(gather_observations(study)), now=NOW)
    judge_two_systems(study)
    item = list_items(study)[0].pk
    make_user("ada")
    client.force_login(study.owner)
    answers = {}
    for path, method, body in list_bodies("/api/v1/", but="/api/v1/challenges/"):
        (example,) = body["examples"].values()
        # A plan is registered before the first judgment.
        name = "unjudged" if path.endswith("/preregistrations/") else "study"
        address = path.format(name=name, metric="length", username="viewer", number=report.number, id=item)
        answers[f"{method} {path}"] = send(client, method, address, example["value"])

    assert {asked: answer for asked, answer in answers.items() if answer not in (200, 201, 202)} == {}
    assert len(answers) >= 21


def list_bodies(prefix, *, but=None):
    """Yield the JSON bodies of the routes below an address, without those below another one."""
    for path, methods in SchemaGenerator().get_schema(public=True)["paths"].items():
        if not path.startswith(prefix) or (but and path.startswith(but)):
            continue
        for method, described in methods.items():
            body = described.get("requestBody", {}).get("content", {}).get("application/json")
            if body:
                yield path, method, body


def send(client, method, address, data):
    """Ask, and leave the database as it was."""
    with transaction.atomic():
        answer = getattr(client, method)(address, data, content_type="application/json").status_code
        transaction.set_rollback(True)
    return answer


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
# The client never closes a bundle that it was sent, as servers do.
@pytest.mark.filterwarnings("ignore:Exception ignored in:pytest.PytestUnraisableExceptionWarning")
@pytest.mark.usefixtures("_no_limit")
@pytest.mark.parametrize("interface", ["token", "session"])
def test_nothing_that_can_be_sent_breaks_the_server(client, interface):
    study = make_scored_study(owner=make_user("owner"))
    login = _log_in(study, client, interface=interface)
    broken, seen = send_all({"name": "study"}, **login)

    assert broken == []
    assert {200, 400, 404} <= seen


def _log_in(study, client, *, interface):
    if interface == "token":
        actor = Actor(study.owner, Interface.PAGE)
        made = make_token(study, name="fuzzing", role=MemberRole.EDITOR, actor=actor, now=timezone.now())
        return {"headers": {"Authorization": f"Bearer {made.secret}"}}
    client.force_login(study.owner)
    csrf = "x" * 32
    # Not as a header: the client below would put its own in its place.
    cookies = {"sessionid": client.cookies["sessionid"].value, "csrftoken": csrf}
    return {"cookies": cookies, "headers": {"X-CSRFToken": csrf}}
