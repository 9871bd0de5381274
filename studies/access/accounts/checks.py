"""Checks of the account settings for `manage.py check --deploy`."""

from typing import Any

from django.conf import settings
from django.core import checks


@checks.register(checks.Tags.security, deploy=True)
def check_accounts(**_: Any) -> list[checks.CheckMessage]:
    """Warn of settings that leave users without help, and of incomplete settings."""
    found = []
    if not settings.HAS_MAIL:
        said = "EMAIL_URL is not set: passwords cannot be reset, and e-mail addresses are not verified."
        found.append(checks.Warning(said, id="accordance.W011"))
    elif settings.DEFAULT_FROM_EMAIL.endswith("@localhost"):
        found.append(
            checks.Warning(
                "DEFAULT_FROM_EMAIL is not set: other mail servers will reject e-mails.", id="accordance.W012"
            )
        )
    (provider,) = settings.SOCIALACCOUNT_PROVIDERS["openid_connect"]["APPS"]
    if settings.ACCORDANCE_OIDC_SERVER:
        given = {"ACCORDANCE_OIDC_CLIENT_ID": "client_id", "ACCORDANCE_OIDC_SECRET": "secret"}
        found += [
            checks.Warning(f"{name} is not set, but ACCORDANCE_OIDC_SERVER is.", id="accordance.W013")
            for name, key in given.items()
            if not provider[key]
        ]
        if not settings.ACCORDANCE_OIDC_SERVER.startswith("https://"):
            found.append(checks.Warning("ACCORDANCE_OIDC_SERVER should begin with https://.", id="accordance.W014"))
    if settings.ACCORDANCE_SIGN_UP == "open" and not settings.HAS_MAIL:
        said = (
            "ACCORDANCE_SIGN_UP is open without EMAIL_URL: anyone can create accounts with unverified e-mail addresses."
        )
        found.append(checks.Warning(said, id="accordance.W015"))
    return found
