"""Tests of offering a study to another owner, who accepts or declines, on pages and with the API."""

import re

import pytest
from django.test import Client

from studies.models import AuditEntry, Study, StudyOffer
from tests.factories.studies import NOW, make_study, make_user
from tests.studies.people import PEOPLE, make_people

PAGE = "/studies/study/people/"
API = "/api/v1/"


@pytest.fixture
def study(owner):
    return make_study(owner=owner, title="A study of captions")


@pytest.fixture
def anna(db):
    return make_user("anna")


def _log_in(person):
    browser = Client()
    if person.pk:
        browser.force_login(person)
    return browser


def _offer(researcher, username="anna"):
    researcher.post(f"{PAGE}owner/", {"username": username})
    return StudyOffer.objects.get()


def test_a_study_is_offered_and_accepted(researcher, study, owner, anna):
    page = researcher.post(f"{PAGE}owner/", {"username": "anna"}, follow=True).content.decode()
    assert "anna has been offered the study." in page
    assert "Withdraw the offer" in page
    assert f'action="{PAGE}owner/"' not in page
    assert Study.objects.get().owner == owner

    other = _log_in(anna)
    listed = other.get("/studies/").content.decode()
    assert 'href="/offers/"' in listed
    offers = other.get("/offers/").content.decode()
    assert "A study of captions" in offers
    (accept,) = re.findall(r'action="([^"]+/accept/)"', offers)
    assert other.get(PAGE).status_code == 404
    after = other.post(accept, follow=True)

    assert after.redirect_chain == [(PAGE, 302)]
    assert "You now own the study." in after.content.decode()
    assert Study.objects.get().owner == anna
    assert "Transfer ownership" not in researcher.get(PAGE).content.decode()
    assert 'href="/offers/"' not in other.get("/studies/").content.decode()


def test_an_offer_is_declined_on_its_page(researcher, study, owner, anna):
    offer, other = _offer(researcher), _log_in(anna)

    page = other.post(f"/offers/{offer.pk}/decline/", follow=True).content.decode()

    assert "You declined the study." in page
    assert "There are no offers for you." in page
    assert (Study.objects.get().owner, StudyOffer.objects.count()) == (owner, 0)
    assert f'action="{PAGE}owner/"' in researcher.get(PAGE).content.decode()


def test_an_offer_is_withdrawn(researcher, study, anna):
    offer = _offer(researcher)

    page = researcher.post(f"{PAGE}owner/withdraw/", follow=True).content.decode()
    again = researcher.post(f"{PAGE}owner/withdraw/")

    assert "The offer has been withdrawn." in page
    assert again.status_code == 422
    assert "There is no open offer for the study." in again.content.decode()
    assert _log_in(anna).post(f"/offers/{offer.pk}/accept/").status_code == 404


def test_a_second_offer_is_refused_on_the_page(researcher, study, anna):
    _offer(researcher)
    make_user("ben")

    response = researcher.post(f"{PAGE}owner/", {"username": "ben"})

    assert response.status_code == 422
    assert "has already been offered to anna" in response.content.decode()


@pytest.mark.parametrize("answer", ["accept", "decline"])
@pytest.mark.parametrize("address", ["/offers/{}/{}/", f"{API}offers/{{}}/{{}}/"])
def test_only_who_was_asked_answers_an_offer(study, owner, address, answer):
    people = make_people(study)
    offer = StudyOffer.objects.create(
        study=study, offered_to=make_user("asked"), offered_by=owner, offered_at=NOW, expires_at=NOW.replace(year=9000)
    )
    where = address.format(offer.pk, answer)

    answers = {role: _log_in(people[role]).post(where).status_code for role in PEOPLE}

    nobody = 401 if where.startswith(API) else 302
    is_nobody = ("rater", "anonymous", "dismissed")
    assert answers == {role: nobody if role in is_nobody else 404 for role in PEOPLE}
    assert (Study.objects.get(name="study").owner, StudyOffer.objects.count()) == (owner, 1)
    assert AuditEntry.objects.count() == 0
    taken = _log_in(offer.offered_to).post(where)
    assert taken.status_code == (204 if where.startswith(API) else 302)
    assert Study.objects.get(name="study").owner == (offer.offered_to if answer == "accept" else owner)


@pytest.mark.parametrize("role", ["editor", "analyst", "viewer", "colleague", "stranger", "rater"])
def test_only_the_owner_sees_makes_and_withdraws_an_offer(study, owner, role):
    people = make_people(study)
    browser = _log_in(people[role])
    make_user("ben")
    data = {"username": "ben"}

    asked = [
        browser.post(f"{PAGE}owner/", data),
        browser.post(f"{API}studies/study/offer/", data, content_type="application/json"),
    ]
    assert StudyOffer.objects.count() == 0
    _offer(_log_in(owner), "ben")
    asked += [
        browser.post(f"{PAGE}owner/withdraw/"),
        browser.get(f"{API}studies/study/offer/"),
        browser.delete(f"{API}studies/study/offer/"),
    ]

    assert not {each.status_code for each in asked} & {200, 201, 204}
    assert StudyOffer.objects.count() == 1
    assert b"ben" not in browser.get(PAGE).content


def test_an_offer_by_the_api(researcher, study, owner, anna):
    address, other = f"{API}studies/study/offer/", _log_in(anna)

    made = researcher.post(address, {"username": "anna"}, content_type="application/json")
    seen = researcher.get(address).json()
    (offered,) = other.get(f"{API}offers/").json()["results"]

    assert (made.status_code, made.json()) == (201, seen)
    assert offered == seen
    assert (seen["study"], seen["title"], seen["offered_by"], seen["offered_to"]) == (
        "study",
        "A study of captions",
        "owner",
        "anna",
    )
    assert researcher.post(address, {"username": "anna"}, content_type="application/json").status_code == 409
    assert researcher.delete(address).status_code == 204
    assert (researcher.get(address).status_code, researcher.delete(address).status_code) == (404, 409)
    assert other.get(f"{API}offers/").json()["results"] == []


def test_offers_are_of_an_account_and_not_of_a_token(researcher, study, anna):
    made = researcher.post(f"{PAGE}tokens/", {"name": "script", "role": "editor"}).content.decode()
    (secret,) = re.findall(r'value="(acc_[\w-]+)"', made)
    program = Client(headers={"authorization": f"Bearer {secret}"})

    answers = [
        program.get(f"{API}offers/"),
        program.post(f"{API}offers/1/accept/"),
        program.post(f"{API}offers/1/decline/"),
        program.post(f"{API}studies/study/offer/", {"username": "anna"}, content_type="application/json"),
    ]

    assert [each.status_code for each in answers] == [403] * 4
