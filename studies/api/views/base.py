"""Common code of the API's views."""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from django import forms
from django.core.exceptions import NON_FIELD_ERRORS
from django.db.models import QuerySet
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.pagination import BasePagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from studies.api.paging import Pages
from studies.api.serializers.analysis import ProblemSerializer
from studies.api.serializers.strictness import refuse_unknown
from studies.forms.confirming import CONFIRM, REASON

PROBLEM = OpenApiResponse(ProblemSerializer, "The error and its location.")
PAGE = [
    OpenApiParameter("page", int, description="From 1."),
    OpenApiParameter("page_size", int, description="At most 1,000."),
]

CONFIRM_DEVIATION = [
    OpenApiParameter(
        CONFIRM, bool, description="Make the change even if it deviates from the preregistration; otherwise 409."
    ),
    OpenApiParameter(REASON, str, description="The reason for the deviation, kept in the history."),
]

_OF_FORMS = ("csrfmiddlewaretoken",)
"""The fields that forms of pages send in addition."""


class ApiView(APIView):
    """A view that answers HEAD like GET, as elsewhere in Django."""

    pagination: type[BasePagination] = Pages

    def check_length(self, request: Request, *, length: int) -> None:
        """Raise TooLarge if JSON of this length exceeds the limit of the view; called before reading it."""

    def read(self, serializer: type[serializers.Serializer], request: Request) -> Any:
        """Return a valid serializer bound to the request; reject unknown fields."""
        bound = serializer(data=request.data)
        bound.is_valid(raise_exception=True)
        known = [name for name, field in bound.fields.items() if not field.read_only]
        refuse_unknown([name for name in request.data if name not in _OF_FORMS], known=known)
        return bound

    def answer_page(
        self,
        rows: QuerySet[Any],
        serializer: type[serializers.Serializer],
        request: Request,
        *,
        prepare: Any = None,
        context: Mapping[str, Any] | None = None,
    ) -> Response:
        """Return one page of rows; `prepare` converts the rows of the page for the serializer."""
        pager = self.pagination()
        page = pager.paginate_queryset(rows, request, view=self)
        shown = prepare(page) if prepare else page
        return pager.get_paginated_response(serializer(shown, many=True, context=dict(context or {})).data)


def read_form(form: forms.Form) -> None:
    """Raise ValidationError with the errors of a page's form by field."""
    if not form.is_valid():
        told = {name: [str(each) for each in errors] for name, errors in form.errors.items()}
        general = told.pop(NON_FIELD_ERRORS, None)
        raise serializers.ValidationError({**told, **({"non_field_errors": general} if general else {})})


def list_of(serializer: Any, what: str, **extra: Any) -> Any:
    """Describe a GET that returns pages of a serializer."""
    return describe(what, answer=_make_page(serializer), parameters=extra.pop("parameters", PAGE), **extra)


@cache
def _make_page(serializer: Any) -> Any:
    # Once for each serializer: two classes of the same name would be two components of the schema.
    name = serializer.__name__.removesuffix("Serializer")
    return type(
        f"{name}PageSerializer",
        (serializers.Serializer,),
        {
            "__doc__": f"A page of {name}.",
            "count": serializers.IntegerField(required=False),
            "next": serializers.CharField(allow_null=True),
            "previous": serializers.CharField(allow_null=True),
            "results": serializer(many=True),
        },
    )


def describe(
    what: str,
    *,
    answer: Any,
    body: Any = None,
    status: int = 200,
    parameters: Iterable[Any] = (),
    operation: str | None = None,
    example: Any = None,
) -> Any:
    """Describe one method of a view in the schema: its purpose, body (with an example) and response."""
    first, _, rest = what.partition("\n")
    known = ("400", "401", "403", "404", "409", "413", "415", "429")
    problems = {(code, "application/problem+json"): PROBLEM for code in known}
    return extend_schema(
        operation_id=operation,
        summary=first.strip(),
        description=rest.strip() or None,
        request=body,
        responses={**(answer if isinstance(answer, dict) else {status: answer}), **problems},
        parameters=list(parameters),
        examples=None if example is None else [OpenApiExample("Example", value=example, request_only=True)],
    )


def is_on(request: Request, name: str) -> bool:
    """Return whether a switch in the query is on."""
    return request.query_params.get(name, "").lower() in ("1", "on", "true")


def file_of(content_type: str) -> Any:
    """Describe a response that is a file."""
    return {(200, content_type): OpenApiTypes.STR}
