"""Making an account of one's own, where the operator allows it."""

from django.conf import settings
from django.contrib.auth import login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from studies.domain.limiting import SIGN_UPS, count_attempt, read_network
from studies.forms.sign_up import SignUpForm, is_sign_up_offered


@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
def sign_up(request: HttpRequest) -> HttpResponse:
    if not is_sign_up_offered():
        raise Http404("accounts are made by the operator here (ACCORDANCE_SIGN_UP)")
    if request.user.is_authenticated:
        return redirect("studies:list")
    form = SignUpForm(request.POST or None)
    if request.method == "POST":
        most = settings.ACCORDANCE_FAILED_LOGINS
        if not count_attempt(SIGN_UPS, read_network(request.META), most=most, now=timezone.now()):
            form.add_error(None, "There were too many attempts. Please try again in 15 minutes.")
        elif form.is_valid():
            login(request, form.save(), backend="studies.domain.accounts.backends.LimitedBackend")
            return redirect("studies:list")
    return render(request, "studies/sign_up.html", {"form": form}, status=422 if form.errors else 200)
