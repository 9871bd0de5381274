"""Tests of the list where there is no challenge."""

import pytest

pytestmark = pytest.mark.django_db


def test_an_empty_site_says_so(client):
    assert b"There are no challenges yet" in client.get("/challenges/").content
