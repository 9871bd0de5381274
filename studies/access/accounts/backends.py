"""How a password is checked, wherever one is asked for."""

from typing import Any

from axes.backends import AxesStandaloneBackend
from django.contrib.auth.backends import ModelBackend
from django.http import HttpRequest

from studies.access.accounts.attempts import give_back


class LimitedBackend(AxesStandaloneBackend, ModelBackend):
    """Looks at a password only if its name and network have attempts left; a right one costs none."""

    def authenticate(self, request: HttpRequest, **credentials: Any) -> Any:
        AxesStandaloneBackend.authenticate(self, request, **credentials)
        user = ModelBackend.authenticate(self, request, **credentials)
        if user is not None:
            give_back(request, credentials)
        return user
