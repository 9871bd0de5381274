"""The context processor of researchers' pages."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest

from studies.forms.access.sign_up import is_sign_up_offered


def offer_sign_up(_request: HttpRequest) -> dict[str, Any]:
    """Return whether researchers may create accounts, and whether mail is sent."""
    return {"is_sign_up_offered": is_sign_up_offered, "has_mail": settings.HAS_MAIL}
