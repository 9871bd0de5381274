"""A site with single sign-on in a separate process, because settings are read when Django starts.

Started as `python -m tests.studies.access.accounts.sign_on_steps`; prints what `test_sign_on` compares, as JSON.
"""

import json
import sys

import django
import requests


def sign_on(client, page="/login/"):
    """Go from the log-in page to the provider and back; return the last answer."""
    assert "Log in with Test University" in client.get(page).content.decode()
    begun = client.post("/account/oidc/sso/login/")
    answered = requests.get(begun.url, allow_redirects=False, timeout=10)
    return client.get(answered.headers["Location"].removeprefix("http://testserver"), follow=True)


def main() -> None:
    django.setup()
    from django.conf import settings
    from django.contrib.auth import get_user
    from django.contrib.auth.models import User
    from django.test import Client, override_settings
    from django.test.utils import setup_test_environment

    from tests.studies.access.accounts.provider import run_provider

    setup_test_environment()
    said = {}
    with run_provider() as provider:
        (app,) = settings.SOCIALACCOUNT_PROVIDERS["openid_connect"]["APPS"]
        app["settings"]["server_url"] = provider.address
        said["policy"] = Client().get("/login/").headers["Content-Security-Policy"]

        stranger = Client()
        closed = sign_on(stranger)
        said["closed"] = [closed.status_code, User.objects.count(), get_user(stranger).is_authenticated]

        with override_settings(ACCORDANCE_OIDC_SIGN_UP=True):
            new = Client()
            sign_on(new)
            user = get_user(new)
            said["new"] = [user.username, user.email, user.has_usable_password(), user.is_staff, User.objects.count()]

        again = Client()
        sign_on(again)
        said["again"] = [get_user(again).username, User.objects.count()]

        # Somebody else's answer in one's own browser: the state is that of another visit.
        begun = Client().post("/account/oidc/sso/login/")
        back = requests.get(begun.url, allow_redirects=False, timeout=10).headers["Location"]
        other = Client()
        forged = other.get(back.removeprefix("http://testserver"))
        said["forged"] = [forged.status_code < 500, get_user(other).is_authenticated]

        provider.audience = "another site"
        misled = Client()
        sign_on(misled)
        said["audience"] = get_user(misled).is_authenticated
        provider.audience = "accordance"

        # Whoever the provider calls by the name and address of an account does not get that account by it.
        User.objects.create_user("root", "root@example.org", "root", is_superuser=True)
        provider.claims |= {"sub": "8", "preferred_username": "root", "email": "root@example.org"}
        with override_settings(ACCORDANCE_OIDC_SIGN_UP=True):
            taker = Client()
            sign_on(taker)
            said["taken"] = [get_user(taker).is_superuser if get_user(taker).pk else False]

        # An account of this site is connected by its owner.
        owner = Client()
        owner.post("/login/", {"username": "root", "password": "root"})
        begun = owner.post("/account/oidc/sso/login/?process=connect")
        provider.claims |= {"sub": "9", "preferred_username": "someone", "email": "someone@example.org"}
        answered = requests.get(begun.url, allow_redirects=False, timeout=10)
        asked = owner.get(answered.headers["Location"].removeprefix("http://testserver"))
        # Another way in is added by who knows the password alone.
        said["asked"] = asked.url
        owner.post(asked.url, {"password": "root"}, follow=True)
        connected = Client()
        sign_on(connected)
        said["connected"] = get_user(connected).get_username()
    sys.stdout.write(json.dumps(said) + "\n")


if __name__ == "__main__":
    main()
