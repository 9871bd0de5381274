"""Tests that the site for attacks is the real one."""

MAKE = """
from django.contrib.auth import get_user_model
from tests.factories.open_studies import make_open_study
get_user_model().objects.create_user("anna", password="a long password")
print(make_open_study("served").join_token)
"""


def test_a_rater_joins_and_a_researcher_logs_in(served_site):
    (token,) = served_site.call(MAKE)
    rater, researcher = served_site.visit(address="192.0.2.1"), served_site.visit()

    consent = rater.get(f"/r/{token}/").find_form(having="agrees")
    joined = rater.submit(consent, agrees="on")
    studies = researcher.log_in("anna", "a long password")

    assert (joined.status, joined.address) == (200, f"{served_site.url}/r/{token}/instructions/")
    assert (studies.status, "Log out" in studies.text) == (200, True)


def test_a_site_of_ones_own_has_its_own_settings(start_site):
    site = start_site(ACCORDANCE_SIGN_UP="open")

    assert site.visit().get("/sign-up/").find_form(having="username").method == "post"
