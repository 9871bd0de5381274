"""Tests of the response to each kind of user for every page and every API route."""

import copy
from urllib.parse import unquote

import pytest
from django.db import transaction
from django.test import Client
from django.urls import get_resolver, reverse

from studies.enums import StudyState
from studies.models import ApiToken, AuditEntry, Study
from tests.shared_rows import log_in_all
from tests.studies.api_endpoints import API, MAKERS, list_methods
from tests.studies.page_rights import (
    ACCOUNT,
    EVERYBODY,
    MORE_MAKERS,
    OPERATOR,
    PAGES,
    RIGHTS_OF_PEOPLE,
    Access,
    fill,
    find_token,
    list_routes,
    make_address,
)
from tests.studies.people import PEOPLE

UNNAMED = {"favicon.ico"}
LOG_IN = "sent to log in"


def test_every_page_has_a_row():
    there = {name for name in list_routes() if not name.startswith("api:")} - UNNAMED

    missing, gone = sorted(there - set(PAGES)), sorted(set(PAGES) - there)

    assert missing == [], f"add a row to PAGES in tests/studies/page_rights.py for {', '.join(missing)}"
    assert gone == [], f"remove from PAGES in tests/studies/page_rights.py what is no route any more: {', '.join(gone)}"


def test_every_method_of_the_api_has_a_row():
    missing, gone = sorted(set(list_methods()) - set(API)), sorted(set(API) - set(list_methods()))

    assert missing == [], f"add a row to API in tests/studies/api_endpoints.py for {', '.join(missing)}"
    assert gone == [], f"remove from API in tests/studies/api_endpoints.py what is no route any more: {', '.join(gone)}"


def expect_answer(name: str, access: Access, person: str, *, is_api: bool) -> int | str:
    has_account = person not in ("anonymous", "rater", "dismissed")
    rights = RIGHTS_OF_PEOPLE.get(person, set())
    if access.right == EVERYBODY or (access.right == ACCOUNT and has_account):
        return access.welcome
    if not has_account:
        return 401 if is_api else LOG_IN
    if access.right == OPERATOR:
        return access.welcome if person == "superuser" else 403
    if not rights:
        return 404
    return access.welcome if access.right in rights or person in (MORE_MAKERS | MAKERS).get(name, ()) else 403


@pytest.fixture(scope="module")
def cookies(people_of_module, django_db_blocker):
    """The cookies of everybody's browser, by role."""
    return log_in_all(people_of_module.made, blocker=django_db_blocker)


def ask(client, cookies, address: str, access: Access, data) -> int | str:
    """Ask with the cookies of a person, and leave the database as it was."""
    try:
        with transaction.atomic():
            client.cookies = copy.deepcopy(cookies)
            sent = (
                {"content_type": "application/json"} if address.startswith("/api/") and access.method != "get" else {}
            )
            response = getattr(client, access.method)(address, data, **sent)
            if response.streaming:
                list(response)
            raise _TakenBack
    except _TakenBack:
        pass
    is_sent_away = response.status_code == 302 and unquote(response.url).startswith("/login/?next=/")
    return LOG_IN if is_sent_away else response.status_code


class _TakenBack(Exception):
    """Ends a transaction that a test does not want to keep."""


@pytest.mark.django_db
@pytest.mark.parametrize("name", [*PAGES, *API])
def test_access_of_every_role(client, study, cookies, name):
    access = (PAGES | API)[name]
    address, data = make_address(name.partition(" ")[0], access, study), fill(access.data, study)

    answers = {role: ask(client, cookies[role], address, access, data) for role in PEOPLE}

    assert answers == {role: expect_answer(name, access, role, is_api=name in API) for role in PEOPLE}


@pytest.mark.django_db
@pytest.mark.parametrize("role", ["analyst", "viewer", "colleague", "stranger", "anonymous"])
@pytest.mark.parametrize(("address", "state"), [("open", StudyState.DRAFT), ("close", StudyState.OPEN)])
def test_refused_change_changes_nothing(client, study, people, address, state, role):
    Study.objects.filter(pk=study.pk).update(state=state, started_at=study.created_at)
    if people[role].pk:
        client.force_login(people[role])

    client.post(reverse(f"studies:{address}", args=["study"]))

    assert (Study.objects.get(pk=study.pk).state, AuditEntry.objects.count()) == (state, 0)


@pytest.mark.django_db
@pytest.mark.parametrize("name", [name for name, access in PAGES.items() if access.method == "post"])
def test_change_needs_a_post(client, study, name):
    client.force_login(study.owner)

    address = make_address(name, PAGES[name], study)
    n_entries = AuditEntry.objects.count()
    response = client.get(address, follow=True)

    above = [step for step, _ in response.redirect_chain]
    # An upload and a job are there for their account alone, and then for nobody.
    is_elsewhere = "x" * 22 in address
    assert above
    assert all(address.startswith(step.partition("?")[0]) for step in above[:1])
    welcome = 404 if is_elsewhere else 403 if PAGES[name].right == OPERATOR else 200
    assert response.status_code == welcome, above
    assert AuditEntry.objects.count() == n_entries


@pytest.mark.django_db
@pytest.mark.parametrize("name", [name for name, access in PAGES.items() if access.method == "post"])
def test_change_needs_the_token_of_a_form(study, name):
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(study.owner)

    address, data = make_address(name, PAGES[name], study), fill(PAGES[name].data, study)
    # What is to be changed was itself made, and that is written down.
    n_entries = AuditEntry.objects.count()

    response = browser.post(address, data)

    assert (response.status_code, AuditEntry.objects.count()) == (403, n_entries)


@pytest.mark.django_db
def test_tokens_of_others_are_revoked_by_the_owner_alone(client, study, people):
    address = reverse("studies:token_revoke", args=["study", find_token(study)])

    client.force_login(people["editor"])
    assert client.post(address).status_code == 403
    assert ApiToken.objects.get().revoked_at is None
    client.force_login(people["analyst"])
    assert client.post(address).status_code == 302
    assert ApiToken.objects.get().revoked_at is not None


def list_admin_addresses() -> list[str]:
    """Return an address for every route of the admin, of the row with the key 1 where it takes one."""
    (admin,) = [each for each in get_resolver().url_patterns if getattr(each, "namespace", "") == "admin"]
    arguments = {"app_label": "studies", "content_type_id": 1, "object_id": 1, "id": 1}
    return sorted(
        {
            reverse(f"admin:{name}", kwargs={key: value for key, value in arguments.items() if f"<{key}>" in where})
            for name, where in _walk(admin.url_patterns, prefix="")
        }
    )


def _walk(patterns, *, prefix):
    for each in patterns:
        where = prefix + str(each.pattern).replace("path:", "").replace("int:", "")
        if hasattr(each, "url_patterns"):
            yield from _walk(each.url_patterns, prefix=where)
        elif each.name:
            yield each.name, where


PUBLIC_IN_ADMIN = {"/admin/login/", "/admin/logout/"}


@pytest.mark.django_db
@pytest.mark.parametrize("role", [role for role in PEOPLE if role != "superuser"])
def test_admin_is_for_operators(client, study, people, role):
    person = people[role]
    if person.pk:
        client.force_login(person)
    addresses = [address for address in list_admin_addresses() if address not in PUBLIC_IN_ADMIN]

    answers = {address: client.get(address) for address in addresses}

    assert len(addresses) > 60
    sent = {address for address, one in answers.items() if one.status_code == 302 and "/admin/login/" in one.url}
    assert sent == set(addresses)
