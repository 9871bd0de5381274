"""The payments of a study: earnings, top-ups, the list of payees, and claims of raters who withdrew."""

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from studies.access.audit import record_names
from studies.collection.pay.claims import NoClaim, pay_claim
from studies.collection.pay.earnings import (
    NothingPromised,
    count_unpaid,
    decide_top_ups,
    list_payees,
    pay_out,
    report_pay,
)
from studies.collection.pay.wages import explain_wage
from studies.views.fetch import fetch_managed_study, make_actor, who_and_when
from studies.views.private_files import send_private
from studies.views.refusals import refusals_to

PAGE = "studies:payments"
RATERS_PER_PAGE = 50


class ClaimForm(forms.Form):
    """A receipt of a rater who withdrew."""

    receipt = forms.CharField(label="Receipt", max_length=40)


@login_required
@never_cache
@require_safe
def show_payments(request: HttpRequest, name: str) -> HttpResponse:
    study = fetch_managed_study(request, name)
    context = {"study": study, "tab": "recruiting:raters", "claim_form": ClaimForm()}
    try:
        report = report_pay(study)
    except NothingPromised as refusal:
        return render(request, "studies/payments.html", context | {"problem": refusal})
    found = {
        "report": report,
        "warning": explain_wage(report.median_hourly, promised=report.hourly_wage),
        "n_owed": len(report.list_owed()),
        "n_unpaid": count_unpaid(study),
        "page": Paginator(report.earnings, RATERS_PER_PAGE).get_page(request.GET.get("page")),
    }
    return render(request, "studies/payments.html", context | found)


@login_required
@require_POST
def decide(request: HttpRequest, name: str) -> HttpResponse:
    """Record the top-ups that are owed as payments."""
    study = fetch_managed_study(request, name)
    with refusals_to(request, NothingPromised):
        payments = decide_top_ups(study, **who_and_when(request))
        messages.success(request, f"{len(payments)} payment{'' if len(payments) == 1 else 's'} recorded.")
    return redirect(PAGE, name)


@login_required
@require_POST
def download_payees(request: HttpRequest, name: str) -> HttpResponse:
    """Send the list of payees for the panel's bonus form; with `paid`, record the payments as paid."""
    study, now, actor = fetch_managed_study(request, name), timezone.now(), make_actor(request)
    with transaction.atomic():
        payees = pay_out(study, now=now, actor=actor) if "paid" in request.POST else list_payees(study)
        record_names(study, people=len(payees), command="payments", now=now, actor=actor)
    return send_private(f"{study.name}-payees.csv", ("participant", "amount", "currency"), payees)


@login_required
@require_POST
def pay_receipt(request: HttpRequest, name: str) -> HttpResponse:
    """Record that the holder of a receipt was paid."""
    study = fetch_managed_study(request, name)
    form = ClaimForm(request.POST)
    if not form.is_valid():
        messages.error(request, "Type the receipt that the rater was shown.")
        return redirect(PAGE, name)
    with refusals_to(request, NoClaim, capital=True):
        claim = pay_claim(study, form.cleaned_data["receipt"], **who_and_when(request))
        messages.success(request, f"Recorded as paid: {claim.amount:.2f} {claim.currency} on receipt {claim.receipt}.")
    return redirect(PAGE, name)
