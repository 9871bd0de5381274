"""Creates accounts, if the operator allows it."""

from allauth.account.utils import complete_signup, setup_user_email
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from studies.access.limits import SIGN_UPS, count_attempt, read_network
from studies.forms.access.sign_up import SignUpForm, is_sign_up_offered


@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
def sign_up(request: HttpRequest) -> HttpResponse:
    if not is_sign_up_offered():
        raise Http404("only the operator can create accounts on this site (ACCORDANCE_SIGN_UP)")
    if request.user.is_authenticated:
        return redirect("studies:list")
    form = SignUpForm(request.POST or None)
    if request.method == "POST":
        most = settings.ACCORDANCE_FAILED_LOGINS
        if not count_attempt(SIGN_UPS, read_network(request.META), most=most, now=timezone.now()):
            form.add_error(None, "Too many attempts. Please try again in 15 minutes.")
        elif form.is_valid():
            user = form.save()
            setup_user_email(request, user, [])
            return complete_signup(
                request,
                user,
                email_verification=settings.ACCOUNT_EMAIL_VERIFICATION,
                success_url=reverse("studies:list"),
            )
    return render(request, "studies/sign_up.html", {"form": form}, status=422 if form.errors else 200)
