"""Tokens with which programs make and host challenges for a person."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from challenges.errors import ChallengeRefused
from challenges.forms.tokens import TokenForm
from challenges.hosting.tokens import list_host_tokens, make_host_token, revoke_host_token
from studies.views.fetch import who_and_when
from studies.views.refusals import refusals_in


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def show_host_tokens(request: HttpRequest) -> HttpResponse:
    """Show the person's tokens for hosting, and make one."""
    secret, status = "", 200
    form = TokenForm(request.POST if request.method == "POST" else None)
    if request.method == "POST":
        status = 422
        if form.is_valid():
            with refusals_in(form, ChallengeRefused, capital=True):
                _, secret = make_host_token(**form.cleaned_data, **who_and_when(request))
                # Shown without a redirect, which would require storing the secret.
                form, status = TokenForm(), 201
    context = {
        "form": form,
        "secret": secret,
        "tokens": list_host_tokens(request.user),
        "now": timezone.now(),
        "section": "challenges",
    }
    return render(request, "challenges/host_tokens.html", context, status=status)


@login_required
@require_POST
def revoke_token(request: HttpRequest, pk: int) -> HttpResponse:
    token = get_object_or_404(list_host_tokens(request.user), pk=pk)
    revoke_host_token(token, **who_and_when(request))
    messages.success(request, "The token has been revoked.")
    return redirect("challenges:host_tokens")
