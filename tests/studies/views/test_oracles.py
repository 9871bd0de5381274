"""Tests that existing and missing objects give equal responses to unauthorised users: status, text and queries."""

import re

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from studies.models import Study
from tests.studies.api_endpoints import API
from tests.studies.page_rights import EVERYBODY, PAGES, fill, make_address

OF_A_STUDY = {
    name: access
    for name, access in (PAGES | API).items()
    if access.right != EVERYBODY and {"name", "join_token"} & set(access.arguments)
}


def ask(client, address, access, data):
    """Ask, leave the database as it was, and return all that the asker can observe."""
    sent = {"content_type": "application/json"} if address.startswith("/api/") and access.method != "get" else {}
    sid = transaction.savepoint()
    with CaptureQueriesContext(connection) as queries:
        response = getattr(client, access.method)(address, data, **sent)
    transaction.savepoint_rollback(sid)
    headers = {name: value for name, value in response.headers.items() if name != "Content-Length"}
    content = re.sub(r'(name="csrfmiddlewaretoken" value=)"\w+"', r"\1", response.content.decode())
    return response.status_code, content, headers, len(queries)


@pytest.mark.django_db
@pytest.mark.parametrize("name", OF_A_STUDY)
@pytest.mark.parametrize("role", ["stranger", "colleague"])
def test_a_private_study_answers_like_a_missing_one(client, study, people, name, role):
    access = OF_A_STUDY[name]
    there, data = make_address(name.partition(" ")[0], access, study), fill(access.data, study)
    missing = there.replace("/study/", "/other/", 1).replace(study.join_token, "x" * len(study.join_token))
    assert missing != there
    client.force_login(people[role])

    answers = [ask(client, address, access, data) for address in (there, missing)]

    assert answers[0][0] == 404
    hidden = [
        (status, content.replace("other", "study"), headers, n_queries)
        for status, content, headers, n_queries in answers
    ]
    assert hidden[0] == hidden[1]


# The preview's way back looks at no task, whatever its address says.
READS_NO_PART = {"preview:return"}
OF_A_PART = {
    name: access
    for name, access in OF_A_STUDY.items()
    if {"pk", "number"} & set(access.arguments) and name not in READS_NO_PART
}


@pytest.mark.django_db
@pytest.mark.parametrize("name", OF_A_PART)
def test_a_part_of_a_private_study_answers_like_a_missing_one(client, study, people, name):
    """Who owns a study asks there for what is part of another, and for what nobody has."""
    access = OF_A_PART[name]
    arguments, data = fill(access.arguments, study), fill(access.data, study)
    own = {"name": "elsewhere", "join_token": Study.objects.get(name="elsewhere").join_token}
    moved = arguments | {key: value for key, value in own.items() if key in arguments}
    nowhere = moved | {key: 999_999 for key in ("pk", "number") if key in moved}
    client.force_login(people["stranger"])

    addresses = [reverse(name.partition(" ")[0], kwargs=given) + access.query for given in (moved, nowhere)]
    answers = [ask(client, address, access, data) for address in addresses]

    shown = [
        (status, re.sub(r"\d+", "N", content), headers, n_queries) for status, content, headers, n_queries in answers
    ]
    assert answers[0][0] == 404
    assert shown[0] == shown[1]
