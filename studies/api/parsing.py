"""Parsers for JSON of limited size, without values that a database rejects."""

import math
from collections.abc import Mapping
from typing import Any, Final

from rest_framework.exceptions import APIException, ParseError
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser, JSONParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

LARGEST: Final = 32 * 2**20
_DEEPEST: Final = 40


class TooLarge(APIException):
    """The body is larger than the limit."""

    status_code = 413
    default_detail = f"The body may have at most {LARGEST // 2**20} MiB; import larger data with manage.py import_data."


class BoundedJSONParser(JSONParser):
    """JSON whose strings can be stored and whose numbers are finite."""

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Mapping[str, Any] | None = None) -> Any:
        context = parser_context or {}
        length = read_length(context["request"])
        if length > LARGEST:
            raise TooLarge
        view = context.get("view")
        if view is not None:
            view.check_length(context["request"], length=length)
        try:
            data = super().parse(stream, media_type, parser_context)
        except RecursionError as error:
            raise ParseError("The JSON is nested too deeply.") from error
        _check(data)
        return data


def read_length(request: Request) -> int:
    """Return the declared length of a request's body in bytes; the server reads no more."""
    text = str(request.META.get("CONTENT_LENGTH") or 0)
    return int(text) if text.isascii() and text.isdigit() else 0


def _check(data: Any) -> None:
    waiting = [(data, 0)]
    while waiting:
        value, depth = waiting.pop()
        if depth > _DEEPEST:
            raise ParseError("The JSON is nested too deeply.")
        if isinstance(value, dict):
            waiting += [(inner, depth + 1) for pair in value.items() for inner in pair]
        elif isinstance(value, list):
            waiting += [(inner, depth + 1) for inner in value]
        elif isinstance(value, str):
            _check_text(value)
        elif isinstance(value, float) and not math.isfinite(value):
            raise ParseError("A number is too large.")
        elif isinstance(value, int) and abs(value) >= 2**63:
            raise ParseError("A whole number is too large.")


def _check_text(text: str) -> None:
    if "\0" in text or any("\ud800" <= sign <= "\udfff" for sign in text):
        raise ParseError("A text holds a null character or half of a surrogate pair, which cannot be stored.")


class OneFormat(BaseContentNegotiation):
    """Ignores `Accept`, since the file extension in the path determines the format."""

    def select_parser(self, request: Request, parsers: list[BaseParser]) -> BaseParser | None:
        kind = (request.content_type or "").partition(";")[0].strip().lower()
        return next((parser for parser in parsers if parser.media_type == kind), None)

    def select_renderer(
        self, request: Request, renderers: list[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        return renderers[0], renderers[0].media_type
