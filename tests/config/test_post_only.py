"""Tests of addresses that only take forms: a GET leads to the page that has the form."""

import pytest

from tests.factories.studies import make_study, make_user

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("/studies/study/open/", "/studies/study/"),
        ("/studies/study/people/add/", "/studies/study/people/"),
        ("/studies/study/design/raters/typed/", "/studies/study/design/raters/"),
        ("/studies/study/runs/metrics/length/switch/", "/studies/study/runs/metrics/length/"),
        ("/studies/study/comments/1/delete/", "/studies/study/"),
        ("/account/notifications/webhook/remove/", "/account/notifications/"),
    ],
)
def test_get_leads_to_the_page_above(client, address: str, expected: str) -> None:
    owner = make_user("owner")
    make_study(owner=owner)
    client.force_login(owner)

    response = client.get(address, follow=True)

    assert (response.redirect_chain[-1][0], response.status_code) == (expected, 200)


def test_api_and_other_methods_are_told_that_the_method_is_wrong(client) -> None:
    owner = make_user("owner")
    make_study(owner=owner)
    client.force_login(owner)

    assert client.put("/studies/study/open/").status_code == 405
    assert client.delete("/api/v1/").status_code == 405
