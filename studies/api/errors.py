"""Errors as problem objects (RFC 9457): type, title, status, detail and, for invalid fields, errors."""

from collections.abc import Iterator, Mapping
from http import HTTPStatus
from typing import Any, Final

from django.core.exceptions import PermissionDenied
from django.http import Http404
from rest_framework.exceptions import APIException, ValidationError
from rest_framework.response import Response
from rest_framework.views import exception_handler

from correlation.errors import CorrelationInputError, UnknownNameError
from jobs.errors import JobRefused
from metrics_plugins.api import MetricError
from studies.access.terms import DaysRefused
from studies.analysis.scatter.points import NoScatter
from studies.datasets.drafts.api_rows import RowsRefused
from studies.datasets.drafts.checks import UploadHasFaults
from studies.datasets.drafts.findings import Fault
from studies.datasets.thumbnails import NoThumbnail
from studies.design.preregistration.deviations import DeviationNotConfirmed
from studies.forms.confirming import CONFIRM
from studies.publishing.freezing import UnknownReport
from studies.publishing.report_pages import NoSuchPart
from studies.scoring.metric_choices import ParametersRefused
from studies.shared.errors import ImportFailed, Refusal
from studies.storage.outages import SECONDS, ServiceUnreachable

CONTENT_TYPE: Final = "application/problem+json"

REFUSALS: Final[Mapping[type[Exception], int]] = {
    UnknownReport: 404,
    NoSuchPart: 404,
    NoScatter: 404,
    NoThumbnail: 404,
    ImportFailed: 400,
    RowsRefused: 400,
    UploadHasFaults: 400,
    ParametersRefused: 400,
    CorrelationInputError: 400,
    UnknownNameError: 400,
    DaysRefused: 400,
    MetricError: 400,
    JobRefused: 409,
    Refusal: 409,
}
"""Exception of a call -> status, the first that fits. Any other exception is a bug and becomes a 500."""


def answer_error(error: Exception, context: Mapping[str, Any]) -> Response | None:
    """Return the response for an exception of a view; None for an unexpected one, which becomes a 500."""
    if isinstance(error, ServiceUnreachable):
        # Only what it is: the message has addresses of servers.
        detail = "A service that this request needs cannot be reached. Please try again in a minute."
        return _answer(503, detail=detail, headers={"Retry-After": str(SECONDS)})
    status = next((code for kind, code in REFUSALS.items() if isinstance(error, kind)), None)
    if status is not None:
        return _answer(status, detail=_describe(error), errors=_list_faults(error))
    known = exception_handler(error, context)
    if known is None:
        return None
    headers = {name: value for name, value in known.items() if name in ("WWW-Authenticate", "Retry-After", "Allow")}
    if isinstance(error, ValidationError):
        errors = list(_walk(error.detail))
        return _answer(known.status_code, detail="Some fields are invalid.", errors=errors, headers=headers)
    return _answer(known.status_code, detail=_describe(error), headers=headers)


def describe_problem(status: int, detail: str) -> dict[str, Any]:
    """Return a problem object without errors of fields."""
    return {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status, "detail": detail}


def _describe(error: Exception) -> str:
    if isinstance(error, DeviationNotConfirmed):
        return f"{error}. To make the change, repeat the request with ?{CONFIRM}=true."
    if isinstance(error, Http404 | PermissionDenied):
        return str(error)
    return str(error.detail) if isinstance(error, APIException) else str(error)


def _answer(
    status: int, *, detail: str, errors: list[dict[str, str]] | None = None, headers: dict[str, str] | None = None
) -> Response:
    body = describe_problem(status, detail)
    if errors:
        body["errors"] = errors
    return Response(body, status=status, headers=headers, content_type=CONTENT_TYPE)


def _list_faults(error: Exception) -> list[dict[str, str]]:
    if isinstance(error, ParametersRefused):
        return [{"field": name, "message": problem} for name, problem in error.problems.items()]
    if isinstance(error, UploadHasFaults):
        return [_describe_fault(fault) for fault in error.faults]
    if isinstance(error, DeviationNotConfirmed):
        return [{"field": each.what, "message": str(each)} for each in error.deviations]
    faults = error.faults if isinstance(error, RowsRefused) else [error] if isinstance(error, ImportFailed) else []
    return [_describe_fault(Fault.of(fault)) for fault in faults]


def _describe_fault(fault: Fault) -> dict[str, str]:
    named = {"file": fault.file, "record": fault.record, "field": fault.field, "got": fault.got}
    return {"message": fault.rule, **{name: value for name, value in named.items() if value}}


def _walk(detail: Any, field: str = "") -> Iterator[dict[str, str]]:
    """Yield each message with the field that it is about; nested fields have dotted names."""
    if isinstance(detail, Mapping):
        for name, inner in detail.items():
            name = "" if name == "non_field_errors" else str(name)
            yield from _walk(inner, ".".join(filter(None, (field, name))))
    elif isinstance(detail, list):
        for inner in detail:
            yield from _walk(inner, field)
    else:
        yield {"field": field, "message": str(detail)} if field else {"message": str(detail)}
