"""Common code of the views of challenges."""

from django.utils import timezone
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from challenges.api.authentication import AUTHENTICATION, HOST_AUTHENTICATION
from challenges.api.hosting_serializers import HostedChallengeSerializer
from challenges.enums import ChallengeState
from challenges.hosting.actions import find_problems
from challenges.hosting.overview import count_by_phase
from challenges.models import Challenge
from studies.api.views.base import ApiView


class ChallengeView(ApiView):
    """A view for people who are logged in, and for tokens of teams."""

    authentication_classes = AUTHENTICATION


class PublicView(ChallengeView):
    """A view for everybody who may see the challenge, also without an account."""

    permission_classes = [AllowAny]


class HostView(ApiView):
    """A view for hosts who are logged in, and for their tokens."""

    authentication_classes = HOST_AUTHENTICATION


def show_hosted(challenge: Challenge, *, status: int = 200, request: Request | None = None) -> Response:
    """Return a challenge as its hosts see it; with its address if it was made by a request."""
    is_open = challenge.state == ChallengeState.OPEN
    context = {
        "problems": [] if is_open else find_problems(challenge, now=timezone.now()),
        "phases": count_by_phase(challenge),
    }
    shown = HostedChallengeSerializer(challenge, context=context).data
    address = reverse("challenges-api:host", args=[challenge.slug], request=request) if request else ""
    return Response(shown, status=status, headers={"Location": address} if address else None)
