"""Authentication by the token of a team or, for hosting, by that of a host."""

from typing import Any

from django.utils import timezone
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import SessionAuthentication

from challenges.hosting.tokens import find_host_token
from challenges.models import HostToken, TeamToken
from challenges.taking_part.tokens import find_team_token
from studies.api.authentication import TokenAuthentication


class TeamTokenAuthentication(TokenAuthentication):
    """By the token of a team."""

    refusal = "This is not a valid token of a team: it is unknown, revoked or expired, or its creator left the team."

    def find(self, secret: str) -> TeamToken | None:
        return find_team_token(secret, now=timezone.now())


class HostTokenAuthentication(TokenAuthentication):
    """By the token of a host."""

    refusal = "This is not a valid token for hosting: it is unknown, revoked or expired."

    def find(self, secret: str) -> HostToken | None:
        return find_host_token(secret, now=timezone.now())


class TeamTokenScheme(OpenApiAuthenticationExtension):
    """The description of these tokens in the schema."""

    target_class = TeamTokenAuthentication
    name = "team_token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer", "description": "A token of a team, created on the team's page."}


class HostTokenScheme(OpenApiAuthenticationExtension):
    """The description of these tokens in the schema."""

    target_class = HostTokenAuthentication
    name = "host_token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer", "description": "A token for hosting, created on its own page."}


AUTHENTICATION = (TeamTokenAuthentication, SessionAuthentication)
"""What the routes for teams take; tokens of studies are for studies only."""
HOST_AUTHENTICATION = (HostTokenAuthentication, SessionAuthentication)
"""What the routes for hosts take; a token of a team never hosts."""
