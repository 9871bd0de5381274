"""Tests of the page on which researchers bring raters into a study."""

import csv
from html import unescape
from urllib.parse import urlsplit

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from studies.collection.arrival.raters import Participant, keep_identity
from studies.design.study_design import Panel, Pay
from studies.enums import Interface, PanelKind, RaterOutcome
from studies.models import AuditEntry, Invitation
from tests.annotation_ui.people import Person
from tests.factories.open_studies import make_open_study
from tests.factories.studies import NOW, make_rater, make_user

pytestmark = pytest.mark.django_db
PAGE = "/studies/study/raters/"


@pytest.fixture
def owner():
    return make_user("owner")


@pytest.fixture
def researcher(client, owner):
    client.force_login(owner)
    return client


def _make_study(owner, kind=PanelKind.IN_HOUSE, **design):
    study = make_open_study(panel=Panel(kind=kind, codes={RaterOutcome.FINISHED: "DONE1"}), **design)
    study.owner = owner
    study.save()
    return study


def _list_entries():
    """Return the entries after that of opening the study, which the factory makes."""
    entries = AuditEntry.objects.exclude(action="opened").order_by("pk")
    return list(entries.values_list("action", "interface", "actor_name", "details"))


def test_personal_links_are_downloaded_and_let_people_in(researcher, owner) -> None:
    study = _make_study(owner)

    sent = researcher.post(f"{PAGE}links/", {"people": "a@example.org\nb@example.org\n"})

    rows = list(csv.DictReader(sent.content.decode().splitlines()))
    link = urlsplit(rows[0]["link"])
    assert [row["person"] for row in rows] == ["a@example.org", "b@example.org"]
    assert "no-store" in sent.headers["Cache-Control"]
    assert sent.headers["Content-Disposition"] == 'attachment; filename="study-links.csv"'
    assert Person(study).client.get(f"{link.path}?{link.query}").status_code == 200
    assert _list_entries() == [
        ("invited", Interface.PAGE, "owner", {"people": 2}),
        ("names_exported", Interface.PAGE, "owner", {"people": 2, "command": "invite"}),
    ]
    assert "2 people have been invited so far" in researcher.get(PAGE).content.decode()


def test_people_may_be_in_a_file(researcher, owner) -> None:
    _make_study(owner)
    file = SimpleUploadedFile("people.csv", b"name,person\nAnn,a@example.org\n")

    sent = researcher.post(f"{PAGE}links/", {"people": "", "file": file})

    assert sent.content.decode().splitlines()[1].startswith("a@example.org,http://testserver/r/")


@pytest.mark.parametrize(
    ("people", "words"),
    [("", "the list: lists no people."), ("ann\nbob\nann", "the list, line 3, field person: must occur only once")],
)
def test_list_with_an_error_invites_nobody(researcher, owner, people, words) -> None:
    _make_study(owner)

    answer = researcher.post(f"{PAGE}links/", {"people": people})

    assert answer.status_code == 422
    assert words in answer.content.decode()
    assert (Invitation.objects.count(), _list_entries()) == (0, [])


def test_personal_links_need_their_panel(researcher, owner) -> None:
    _make_study(owner, PanelKind.LINK)

    answer = researcher.post(f"{PAGE}links/", {"people": "ann"})

    assert answer.status_code == 422
    assert Invitation.objects.count() == 0


def test_form_of_prolific_has_address_codes_time_and_reward(researcher, owner) -> None:
    pay = Pay(currency="GBP", reward=1.0, hourly_wage=12.0)
    study = _make_study(
        owner, PanelKind.PROLIFIC, n_tasks=12, task_seconds=60, pay=pay, eligibility="Adults in Ireland"
    )

    page = unescape(researcher.get(PAGE).content.decode())

    address = "PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}"
    assert f'value="http://testserver/r/{study.join_token}/?{address}"' in page
    assert "<code>DONE1</code>" in page
    assert "<dt>Who can take part (prescreeners)</dt><dd>Adults in Ireland</dd>" in page
    assert "13 minutes" in page
    assert "2.60 GBP from the hourly wage and the estimated time; the design promises 1.00 GBP, which is LOWER" in page
    assert f'href="/studies/{study.name}/payments/"' in page


def test_link_for_another_browser_is_made_and_written_down(researcher, owner) -> None:
    study = _make_study(owner, PanelKind.GENERIC)
    make_rater(study, identity_hash=keep_identity(Participant(PanelKind.GENERIC, "7"), now=NOW))

    made = researcher.post(f"{PAGE}resume/", {"participant": "7"})
    unknown = researcher.post(f"{PAGE}resume/", {"participant": "8"})

    link = made.context["resume_link"]
    assert (made.status_code, unknown.status_code) == (201, 422)
    assert link in made.content.decode()
    assert Person(study).client.get(urlsplit(link).path).status_code == 302
    assert "no rater whom the panel generic names" in unknown.content.decode()
    assert _list_entries() == [("resume_link_made", Interface.PAGE, "owner", {})]


def test_codes_are_for_those_who_may_change_the_study(client, owner) -> None:
    _make_study(owner, PanelKind.PROLIFIC)
    client.force_login(make_user("stranger"))

    assert client.get(PAGE).status_code == 404
