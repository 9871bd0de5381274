"""The list of routes as a page, and the schema."""

from functools import lru_cache

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.views import SpectacularAPIView
from rest_framework.permissions import AllowAny

_METHODS = ("get", "post", "put", "patch", "delete")


class Schema(SpectacularAPIView):
    """The schema, which is public, since it has no data of studies."""

    permission_classes = [AllowAny]


@require_safe
def show_home(request: HttpRequest) -> HttpResponse:
    return render(request, "studies/api.html", {"section": "api", "routes": list_routes()})


@lru_cache(maxsize=1)
def list_routes() -> tuple[dict[str, str], ...]:
    """Return path, method and summary of every route, in the order of the schema."""
    schema = SchemaGenerator().get_schema(public=True)
    return tuple(
        {"path": path, "method": method.upper(), "summary": described[method]["summary"]}
        for path, described in schema["paths"].items()
        for method in _METHODS
        if method in described
    )
