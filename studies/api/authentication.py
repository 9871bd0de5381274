"""Authentication by a token of one study, or by the session of a browser."""

from typing import Any, Final

from django.utils import timezone
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from studies.access.tokens import find_token
from studies.models import ApiToken

_SCHEME: Final = "Bearer"


class BearerAuthentication(BaseAuthentication):
    """`Authorization: Bearer TOKEN`; `request.user` is the token's creator, `request.auth` the token."""

    def authenticate(self, request: Request) -> tuple[Any, ApiToken] | None:
        words = get_authorization_header(request).split()
        if not words or words[0].lower() != _SCHEME.lower().encode():
            return None
        if len(words) != 2:
            raise AuthenticationFailed("The header must be `Authorization: Bearer TOKEN`.")
        token = find_token(words[1].decode("ascii", errors="replace"), now=timezone.now())
        if token is None:
            raise AuthenticationFailed(
                "This token is unknown, revoked or expired, or the member who created it left the study."
            )
        return token.made_by, token

    def authenticate_header(self, request: Request) -> str:
        return f'{_SCHEME} realm="api"'


class BearerScheme(OpenApiAuthenticationExtension):
    """The description of tokens in the schema."""

    target_class = BearerAuthentication
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer", "description": "A token for one study, created on its page People."}
