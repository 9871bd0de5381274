"""Common code of the views of challenges."""

from rest_framework.permissions import AllowAny

from challenges.api.authentication import AUTHENTICATION
from studies.api.views.base import ApiView


class ChallengeView(ApiView):
    """A view for people who are logged in, and for tokens of teams."""

    authentication_classes = AUTHENTICATION


class PublicView(ChallengeView):
    """A view for everybody who may see the challenge, also without an account."""

    permission_classes = [AllowAny]
