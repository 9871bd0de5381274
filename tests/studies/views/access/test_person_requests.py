"""Tests of the operator's page for requests of raters: search, export and erasure, all recorded."""

import json
from random import Random

import pytest

from studies.collection.arrival.arrivals import Arrival, record_arrival
from studies.collection.arrival.invitations import invite
from studies.collection.arrival.raters import Participant, join_study, list_identity_hashes
from studies.enums import RaterOutcome
from studies.models import AuditEntry, Identity, Judgment, Rater, Withdrawal
from tests.factories.open_studies import make_open_study
from tests.factories.studies import NOW, make_judgment, make_rater, make_study, make_user
from tests.studies.people import PEOPLE, make_people
from tests.studies.scored import list_items

pytestmark = pytest.mark.django_db
ZOE = {"panel": "prolific", "person": "zoe-planted"}
ADDRESSES = ("/requests/", "/requests/find/", "/requests/export/", "/requests/erase/")


@pytest.fixture(autouse=True)
def _own_log(settings, tmp_path) -> None:
    settings.ACCORDANCE_ERASURES = str(tmp_path / "erasures.jsonl")


@pytest.fixture
def operator(client):
    """A superuser's browser."""
    client.force_login(make_user("operator", is_superuser=True, is_staff=True))
    return client


@pytest.fixture
def studies():
    """Two studies that know Zoe, who has judged in each; one has also invited Berta, who never came."""
    made = [make_open_study("one"), make_open_study("two")]
    for number, study in enumerate(made):
        version, participant = study.versions.latest("number"), Participant("prolific", "zoe-planted")
        rater = join_study(study, version=version, now=NOW, rng=Random(number), participant=participant)
        record_arrival(rater, Arrival("prolific", participant, session_id=f"visit-{number}"), now=NOW)
        make_judgment(list_items(study)[0], rater, 3.0)
    invite(made[0], ["berta@example.org"], now=NOW)
    AuditEntry.objects.all().delete()
    return made


def _list_events() -> list[tuple[str, str, dict]]:
    return list(AuditEntry.objects.order_by("pk").values_list("action", "actor_name", "details"))


def test_log_that_cannot_be_written_is_told_and_nothing_is_erased(operator, studies, settings, tmp_path) -> None:
    settings.ACCORDANCE_ERASURES = str(tmp_path)

    refused = operator.post("/requests/erase/", ZOE | {"answers": "erase", "confirmed": "on"})

    assert refused.status_code == 503
    assert "Nothing was erased: the log of erasures cannot be written" in refused.content.decode()
    assert (Identity.objects.count(), Judgment.objects.count()) == (2, 2)


def test_person_whom_two_keys_know_is_one_person(operator, studies, settings) -> None:
    (former,) = list_identity_hashes(Participant("prolific", "zoe-planted"))
    settings.ACCORDANCE_IDENTITY_KEY_FALLBACKS = [settings.ACCORDANCE_IDENTITY_KEY]
    settings.ACCORDANCE_IDENTITY_KEY = "the key that takes its place, 0123456789 abc"
    # A server that knew the new key only took her in again, in one of the studies.
    newest = list_identity_hashes(Participant("prolific", "zoe-planted"))[0]
    Identity.objects.create(identity_hash=newest, panel="prolific", participant_id="zoe-planted", created_at=NOW)
    Rater.objects.filter(study=studies[1]).update(identity_hash=newest)

    found = operator.post("/requests/find/", ZOE).context["found"]
    assert [(one.study, one.n_judgments) for one in found.studies] == [("one", 1), ("two", 1), ("two", 0)]
    erased = operator.post("/requests/erase/", ZOE | {"answers": "erase", "confirmed": "on"})

    assert len(erased.context["receipts"]) == 2
    assert not Identity.objects.filter(identity_hash__in=[former, newest]).exists()
    assert not Rater.objects.filter(identity_hash__in=[former, newest]).exists()
    assert not Judgment.objects.exists()


def test_two_raters_of_one_study_who_are_one_person_are_erased_on_one_receipt(operator, studies, settings) -> None:
    settings.ACCORDANCE_IDENTITY_KEY_FALLBACKS = ["an older key"]
    _, older = list_identity_hashes(Participant("prolific", "zoe-planted"))
    Identity.objects.create(identity_hash=older, panel="prolific", participant_id="zoe-planted", created_at=NOW)
    make_judgment(list_items(studies[0])[0], make_rater(studies[0], "twin", identity_hash=older), 2.0)

    erased = operator.post("/requests/erase/", ZOE | {"answers": "erase", "confirmed": "on"})

    assert (erased.status_code, len(erased.context["receipts"])) == (200, 2)
    assert not Judgment.objects.exists()
    assert set(Rater.objects.values_list("identity_hash", "outcome")) == {("", RaterOutcome.WITHDRAWN)}


@pytest.mark.parametrize("name", PEOPLE)
def test_page_is_for_operators_alone(client, name: str) -> None:
    study = make_study("study", owner=make_user("owner"))
    person = make_people(study)[name]
    staff = make_user("staff", is_staff=True)
    asked = [client.get if address == "/requests/" else client.post for address in ADDRESSES]
    if not person.is_anonymous:
        client.force_login(person)

    answers = [ask(address, ZOE).status_code for ask, address in zip(asked, ADDRESSES, strict=True)]

    expected = {"superuser": [200, 200, 404, 422], "anonymous": [302] * 4, "rater": [302] * 4, "dismissed": [302] * 4}
    assert answers == expected.get(name, [403] * 4)
    client.force_login(staff)
    assert client.get("/requests/").status_code == 403


def test_person_is_found_and_the_look_is_written_down(operator, studies) -> None:
    page = operator.post("/requests/find/", ZOE).content.decode()

    assert "in 2 studies" in page
    assert all(rater.pseudonym in page for rater in Rater.objects.all())
    assert [event[0] for event in _list_events()] == ["person_sought"]
    assert _list_events()[0][2] == {"page": "requests", "panel": "prolific", "studies": 2}


def test_export_holds_all_and_no_other_person(operator, studies) -> None:
    answer = operator.post("/requests/export/", ZOE)
    told = json.loads(answer.content)

    assert answer.headers["Content-Disposition"] == 'attachment; filename="stored.json"'
    assert (told["panel"], told["id"]) == ("prolific", "zoe-planted")
    assert [one["study"] for one in told["studies"]] == ["one", "two"]
    assert [one["judgments"][0]["value"] for one in told["studies"]] == [3.0, 3.0]
    assert [one["visits"][0]["session_id"] for one in told["studies"]] == ["visit-0", "visit-1"]
    assert told["studies"][0]["consents"][0]["text"].startswith("You will judge captions")
    assert "berta" not in answer.content.decode()
    assert [event[0] for event in _list_events()] == ["person_exported"]


def test_nothing_is_erased_without_a_choice_and_a_confirmation(operator, studies) -> None:
    answer = operator.post("/requests/erase/", {**ZOE, "answers": "erase"})

    assert answer.status_code == 422
    assert "Tick the box to confirm." in answer.content.decode()
    assert Identity.objects.count() == 2


@pytest.mark.parametrize(("answers", "n_kept"), [("erase", 0), ("keep", 2)])
def test_erasure_is_a_withdrawal_from_every_study(operator, studies, answers: str, n_kept: int) -> None:
    page = operator.post("/requests/erase/", {**ZOE, "answers": answers, "confirmed": "on"}).content.decode()

    assert [one.participant_id for one in Identity.objects.all()] == ["berta@example.org"]
    assert Judgment.objects.count() == n_kept
    assert all(withdrawal.receipt in page for withdrawal in Withdrawal.objects.all())
    assert Withdrawal.objects.count() == 2
    assert [event[0] for event in _list_events()] == ["withdrawn", "withdrawn", "person_erased"]
    assert "zoe" not in str(_list_events())


def test_who_was_invited_and_never_came_is_erased_too(operator, studies) -> None:
    asked = {"panel": "in_house", "person": "berta@example.org"}

    assert "only invited" in operator.post("/requests/find/", asked).content.decode()
    operator.post("/requests/erase/", {**asked, "answers": "erase", "confirmed": "on"})

    assert [one.participant_id for one in Identity.objects.all()] == ["zoe-planted"]
    assert "No data is stored" in operator.post("/requests/find/", asked).content.decode()
