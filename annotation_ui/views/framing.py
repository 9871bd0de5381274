"""Exceptions to the content security policy for single pages: frames of panels, and forms sent to panels."""

from urllib.parse import urlsplit

from csp.constants import SELF
from django.conf import settings
from django.http import HttpResponse

from annotation_ui.channels import Channel


def allow_posting_to(response: HttpResponse, url: str) -> HttpResponse:
    """Allow forms of this page to be sent to the origin of an address; has no effect if the address is empty."""
    if url:
        parts = urlsplit(url)
        response._csp_update = {"form-action": [f"{parts.scheme}://{parts.netloc}"]}
    return response


def allow_framing_by(response: HttpResponse, channel: Channel) -> HttpResponse:
    """Allow a final page to be shown in a frame of the panel, if the channel uses frames."""
    return allow_framing(response) if channel.is_framed else response


def allow_framing(response: HttpResponse) -> HttpResponse:
    """Allow this page to be shown in frames of the panels in the settings."""
    response._csp_replace = {"frame-ancestors": list(settings.ACCORDANCE_AMT_ORIGINS)}
    response.xframe_options_exempt = True
    return response


def allow_own_frame(response: HttpResponse) -> HttpResponse:
    """Allow this page to be shown in a frame of the site itself."""
    response._csp_replace = {"frame-ancestors": [SELF]}
    response.headers["X-Frame-Options"] = "SAMEORIGIN"
    return response
