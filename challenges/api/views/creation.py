"""Makes challenges from plans."""

from typing import Any, Final

from django.db import transaction
from drf_spectacular.utils import OpenApiParameter
from rest_framework.authentication import BaseAuthentication
from rest_framework.permissions import BasePermission, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from challenges.api.authentication import HOST_AUTHENTICATION
from challenges.api.hosting_serializers import HostedChallengeSerializer
from challenges.api.views.base import show_hosted
from challenges.api.views.challenges import ChallengeList
from challenges.hosting.choices import check_choices
from challenges.hosting.creation import make_challenge
from challenges.hosting.plans import ChallengePlan
from studies.api.fetch import who_and_when
from studies.api.views.base import describe, is_on
from studies.shared.errors import SourceLocation
from studies.shared.schemas import describe_fields, read_value

_PLAN: Final = {
    "application/json": {
        "type": "object",
        "properties": describe_fields(ChallengePlan),
        "required": ["slug", "title", "dataset", "phases"],
        "additionalProperties": False,
    }
}
_EXAMPLE: Final = {
    "slug": "coco-2026",
    "title": "Captions of COCO",
    "dataset": "photos",
    "terms": "Use no data of the test images.",
    "phases": [
        {
            "slug": "dev",
            "title": "Development",
            "opens_at": "2026-12-01T00:00:00Z",
            "closes_at": "2030-02-01T00:00:00Z",
            "metrics": [{"metric": "cider-d"}, {"metric": "rouge-l", "params": {"tokenizer": "ptb"}}],
            "references": [{"name": "c2", "count": 2}],
        }
    ],
}


class Challenges(ChallengeList):
    """The challenges that one may see, and new ones."""

    def get_authenticators(self) -> list[BaseAuthentication]:
        # A token of a team lists challenges, and makes none.
        kinds = HOST_AUTHENTICATION if self._makes() else self.authentication_classes
        return [kind() for kind in kinds]

    def get_permissions(self) -> list[BasePermission]:
        return [IsAuthenticated()] if self._makes() else super().get_permissions()

    @describe(
        "Make a challenge from a plan\nWith the fields of a plan for `manage.py create_challenge`. The challenge is a "
        "draft that you own. With `dry_run`, nothing is stored, and the response is 200 with what would be made and "
        "what would prevent its opening.",
        body=_PLAN,
        example=_EXAMPLE,
        answer={201: HostedChallengeSerializer, 200: HostedChallengeSerializer},
        parameters=[OpenApiParameter("dry_run", bool, description="Check the plan only.")],
        operation="challenges_create",
    )
    def post(self, request: Request) -> Response:
        plan = _read_plan(request.data)
        check_choices(plan, user=request.user)
        is_dry = is_on(request, "dry_run")
        with transaction.atomic():
            challenge = make_challenge(plan, owner=request.user, **who_and_when(request))
            # Shown before a draft that is not wanted is undone.
            shown = show_hosted(challenge, status=200 if is_dry else 201, request=None if is_dry else request)
            transaction.set_rollback(is_dry)
        return shown

    def _makes(self) -> bool:
        # Without a request, the schema is made.
        return bool(self.request and self.request.method == "POST")


def _read_plan(data: Any) -> ChallengePlan:
    plan: ChallengePlan = read_value(ChallengePlan, data, SourceLocation("the plan"))
    return plan
