"""Authentication by the token of a team."""

from typing import Any

from django.utils import timezone
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, SessionAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from challenges.models import TeamToken
from challenges.taking_part.tokens import find_team_token


class TeamTokenAuthentication(BaseAuthentication):
    """`Authorization: Bearer TOKEN`; `request.user` is the token's creator, `request.auth` the token."""

    def authenticate(self, request: Request) -> tuple[Any, TeamToken] | None:
        words = get_authorization_header(request).split()
        if not words or words[0].lower() != b"bearer":
            return None
        if len(words) != 2:
            raise AuthenticationFailed("The header must be `Authorization: Bearer TOKEN`.")
        token = find_team_token(words[1].decode("ascii", errors="replace"), now=timezone.now())
        if token is None:
            raise AuthenticationFailed(
                "This is no valid token of a team: it is unknown, revoked or expired, or its creator left the team."
            )
        return token.made_by, token

    def authenticate_header(self, request: Request) -> str:
        return 'Bearer realm="api"'


class TeamTokenScheme(OpenApiAuthenticationExtension):
    """The description of these tokens in the schema."""

    target_class = TeamTokenAuthentication
    name = "team_token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer", "description": "A token of a team, created on the team's page."}


AUTHENTICATION = (TeamTokenAuthentication, SessionAuthentication)
"""What the routes of challenges take; tokens of studies are for studies only."""
