"""Keeps the text of a form that was sent after the session had ended: it is shown after the log-in, to be sent again.

Nothing is stored for visitors: the text is a hidden field of the log-in page, and comes into the session with the
log-in. Files cannot be kept, and forms with a password are not.
"""

import json
from collections.abc import Callable
from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import AuthenticationForm
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render, resolve_url
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from studies.views.access.log_in import KEPT, MOST_CHARACTERS, LogIn

KEPT_IN_TAB: Final = "kept_in_tab"
"""The field by which a page says that its script keeps the text itself."""
_DROPPED: Final = ("csrfmiddlewaretoken",)


class ExpiredFormMiddleware:
    """Shows the log-in page with what was sent, instead of only leading there, if a form needs an account."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if request.method != "POST":
            return response
        _forget_sent(request, response)
        if not _leads_to_login(response) or not _is_of_a_browser(request) or KEPT_IN_TAB in request.POST:
            return response
        kept = _write_form(request)
        return _ask_to_log_in(request, kept) if kept else response


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def send_again(request: HttpRequest) -> HttpResponse:
    """Show the form that was sent without a session, filled in; a POST discards it."""
    kept = _read_form(request.session.get(KEPT, ""), host=request.get_host())
    if request.method == "POST" or kept is None:
        if request.session.pop(KEPT, None):
            messages.info(request, "Discarded the form that was not sent.")
        return redirect("studies:list")
    fields = [{"name": name, "label": _label(name), "value": value} for name, value in kept["fields"]]
    return render(request, "studies/send_again.html", {"address": kept["address"], "fields": fields})


def _leads_to_login(response: HttpResponse) -> bool:
    address = resolve_url("account_login")
    return isinstance(response, HttpResponseRedirect) and response.url.partition("?")[0] == address


def _is_of_a_browser(request: HttpRequest) -> bool:
    """Whether a person sees the answer: a script that sends a form expects the redirect."""
    return request.headers.get("Sec-Fetch-Mode", "") == "navigate" or "text/html" in request.headers.get("Accept", "")


def _write_form(request: HttpRequest) -> str:
    """Return what was sent, as text; empty if it cannot be kept."""
    match = request.resolver_match
    # Without the check of its token, a form may have been made by another site.
    if match is None or getattr(match.func, "csrf_exempt", False):
        return ""
    fields = [(name, value) for name, values in request.POST.lists() for value in values if name not in _DROPPED]
    if not any(value for _, value in fields) or any("password" in name for name, _ in fields):
        return ""
    text = json.dumps({"address": request.get_full_path(), "fields": fields})
    return text if len(text) <= MOST_CHARACTERS else ""


def _read_form(text: str, *, host: str) -> dict[str, Any] | None:
    """Return the address and the fields of a form; None if the text is not one that leads to this site."""
    try:
        kept = json.loads(text[: MOST_CHARACTERS + 1])
        address, fields = str(kept["address"]), [(str(name), str(value)) for name, value in kept["fields"]]
    except (ValueError, TypeError, KeyError):
        return None
    is_here = address.startswith("/") and url_has_allowed_host_and_scheme(address, allowed_hosts={host})
    return {"address": address, "fields": fields} if is_here else None


def _forget_sent(request: HttpRequest, response: HttpResponse) -> None:
    """Forget the form that was kept if it has been sent again, and was not refused."""
    kept = _read_form(request.session.get(KEPT, ""), host=request.get_host())
    if kept and kept["address"] == request.get_full_path() and response.status_code < 400:
        del request.session[KEPT]


def _ask_to_log_in(request: HttpRequest, kept: str) -> HttpResponse:
    view = LogIn()
    view.setup(request)
    context = view.get_context_data(form=AuthenticationForm(request))
    given = {"kept": kept, "next": reverse("account_send_again"), "address": reverse("account_login")}
    return render(request, "registration/login.html", {**context, **given}, status=401)


def _label(name: str) -> str:
    """Return the name of a field as words, without the section that it is in."""
    return name.rpartition("-")[2].replace("_", " ").capitalize()
