"""The Permissions-Policy header, which Django does not set."""

from collections.abc import Callable
from typing import Final

from django.http import HttpRequest, HttpResponse

PERMISSIONS_POLICY: Final = ", ".join(
    f"{feature}=()"
    for feature in (
        "accelerometer",
        "browsing-topics",
        "camera",
        "display-capture",
        "geolocation",
        "gyroscope",
        "magnetometer",
        "microphone",
        "midi",
        "payment",
        "usb",
    )
)
"""No page needs any of these features, nor may a surrounding frame grant them to raters' pages."""


class PermissionsPolicyMiddleware:
    """Denies pages the use of the camera, the microphone and similar features."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers.setdefault("Permissions-Policy", PERMISSIONS_POLICY)
        return response
