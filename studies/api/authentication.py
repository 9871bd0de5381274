"""Authentication by a token of one study, or by the session of a browser."""

from typing import Any, ClassVar

from django.utils import timezone
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from studies.access.tokens import find_token
from studies.models import ApiToken
from studies.models.access import Token


class TokenAuthentication(BaseAuthentication):
    """`Authorization: Bearer TOKEN`; `request.user` is the token's creator, `request.auth` the token.

    Attributes:
        refusal: What a program is told whose token is not valid.
    """

    refusal: ClassVar[str]

    def find(self, secret: str) -> Token | None:
        """Return the valid token of a secret, if there is one; subclasses implement it."""
        raise NotImplementedError

    def authenticate(self, request: Request) -> tuple[Any, Token] | None:
        words = get_authorization_header(request).split()
        if not words or words[0].lower() != b"bearer":
            return None
        if len(words) != 2:
            raise AuthenticationFailed("The header must be `Authorization: Bearer TOKEN`.")
        token = self.find(words[1].decode("ascii", errors="replace"))
        if token is None:
            raise AuthenticationFailed(self.refusal)
        return token.made_by, token

    def authenticate_header(self, request: Request) -> str:
        return 'Bearer realm="api"'


class BearerAuthentication(TokenAuthentication):
    """By the token of a study."""

    refusal = "This token is unknown, revoked or expired, or the member who created it left the study."

    def find(self, secret: str) -> ApiToken | None:
        return find_token(secret, now=timezone.now())


class BearerScheme(OpenApiAuthenticationExtension):
    """The description of tokens in the schema."""

    target_class = BearerAuthentication
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer", "description": "A token for one study, created on its page People."}
