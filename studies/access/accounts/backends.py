"""The authentication backend, which checks passwords everywhere on the site."""

from typing import Any

from axes.backends import AxesStandaloneBackend
from django.contrib.auth.backends import ModelBackend
from django.http import HttpRequest

from studies.access.accounts.attempts import give_back


class LimitedBackend(AxesStandaloneBackend, ModelBackend):
    """Checks a password only if its name and network have attempts left; a right one does not count."""

    def authenticate(self, request: HttpRequest, **credentials: Any) -> Any:
        AxesStandaloneBackend.authenticate(self, request, **credentials)
        user = ModelBackend.authenticate(self, request, **credentials)
        if user is not None:
            give_back(request, credentials)
        return user
