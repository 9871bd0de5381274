"""Exceptions to the content security policy, each for one page: a panel's frame, and a form that goes to a panel."""

from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpResponse

from annotation_ui.channels import Channel


def allow_posting_to(response: HttpResponse, url: str) -> HttpResponse:
    """Let a form of this page be sent to the origin of an address; nothing changes without one."""
    if url:
        parts = urlsplit(url)
        response._csp_update = {"form-action": [f"{parts.scheme}://{parts.netloc}"]}
    return response


def allow_framing_by(response: HttpResponse, channel: Channel) -> HttpResponse:
    """Let a page that ends the way stand in the frame of a panel that shows raters' pages in one."""
    return allow_framing(response) if channel.is_framed else response


def allow_framing(response: HttpResponse) -> HttpResponse:
    """Let this page stand in a frame of the panels that the operator has named."""
    response._csp_replace = {"frame-ancestors": list(settings.ACCORDANCE_AMT_ORIGINS)}
    response.xframe_options_exempt = True
    return response
