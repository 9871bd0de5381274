"""Leaving for good: with the answers kept, or withdrawn with or without them."""

import logging
from secrets import SystemRandom
from typing import Final

from django import forms
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST, require_safe

from annotation_ui.views.framing import allow_posting_to
from annotation_ui.views.visits import Visit, clear_rater_cookie, for_former_raters, for_raters
from studies.access.limiting import PROOFS, count_attempt
from studies.collection.arrival.arriving import find_submission, name_end
from studies.collection.arrival.raters import list_identity_hashes
from studies.collection.assigning import StageName, find_stage, leave_study
from studies.collection.events import record_refusal
from studies.collection.privacy.erasure_log import LogUnwritable
from studies.collection.privacy.withdrawing import AlreadyWithdrawn, withdraw
from studies.enums import PanelKind, RaterOutcome, StudyState
from studies.shared.clock import read_clock

logger = logging.getLogger(__name__)
KEEP, ERASE = "keep", "erase"
MOST_PROOFS: Final = 10
"""Of one rater within a quarter of an hour."""


class WithdrawalForm(forms.Form):
    """What is to become of the answers; nothing is chosen beforehand."""

    use_required_attribute = False
    answers = forms.ChoiceField(
        choices=[
            (ERASE, _("Erase my answers too.")),
            (KEEP, _("Keep my answers, without anything that says they are mine.")),
        ],
        widget=forms.RadioSelect,
        error_messages={"required": _("Choose what is to become of your answers.")},
    )
    proof = forms.CharField(
        required=False, max_length=2000, strip=True, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )

    def __init__(self, data: QueryDict | None = None, *, visit: Visit) -> None:
        super().__init__(data)
        self.visit = visit
        # A browser may be shared or stolen. Of a rater whom nobody named, it is all that there is.
        if not visit.rater.identity_hash:
            del self.fields["proof"]
            return
        by_link = visit.design.panel.kind == PanelKind.IN_HOUSE
        self.fields["proof"].label = _("Your personal link to this study") if by_link else _("Your id at the panel")

    def clean_proof(self) -> str:
        """Refuse whoever cannot say who the rater is; only so many times, or ids could be tried."""
        text, rater, now = self.cleaned_data["proof"], self.visit.rater, read_clock()
        if not text:
            raise ValidationError(_("Say once more who you are: this cannot be undone."))
        if not count_attempt(PROOFS, f"{rater.pk}", most=MOST_PROOFS, now=now):
            raise ValidationError(_("This was wrong too often. Please try again in a quarter of an hour."))
        named = self.visit.channel.read_proof(text)
        if named is None or rater.identity_hash not in list_identity_hashes(named):
            record_refusal(rater, reason="WrongProof", now=now)
            raise ValidationError(_("This is not what this study knows you by."))
        return text


@require_safe
@for_former_raters
def show_leaving(request: HttpRequest, visit: Visit) -> HttpResponse:
    return _show(request, visit, WithdrawalForm(visit=visit))


@require_POST
@for_raters
def leave(_request: HttpRequest, visit: Visit) -> HttpResponse:
    leave_study(visit.rater, now=read_clock())
    return redirect("annotation_ui:thanks", visit.study.join_token)


@require_POST
@for_former_raters
def withdraw_from_study(request: HttpRequest, visit: Visit) -> HttpResponse:
    form = WithdrawalForm(request.POST, visit=visit)
    if not form.is_valid():
        return _show(request, visit, form)
    # Asked for beforehand: with the rater's identity, what the panel needs back is gone.
    submission = find_submission(visit.rater)
    outcome = RaterOutcome(visit.rater.outcome or RaterOutcome.WITHDRAWN)
    panel_exit = visit.channel.make_exit(name_end(visit.rater, submission, outcome=outcome), submission)
    try:
        receipt = withdraw(
            visit.rater,
            erase_judgments=form.cleaned_data["answers"] == ERASE,
            now=read_clock(),
            rng=SystemRandom(),
        )
    except AlreadyWithdrawn:
        receipt = None
    except LogUnwritable:
        logger.exception("a withdrawal from study %s was refused", visit.study.name)
        refusal = _("Your withdrawal could not be recorded, so nothing was erased. Please try again later.")
        form.add_error("answers", refusal)
        return _show(request, visit, form, status=503)
    # The receipt is on this page only: nothing is left by which it could be shown again.
    context = {"study": visit.study, "receipt": receipt, "panel_exit": panel_exit}
    response = render(request, "annotation_ui/withdrawn.html", context)
    clear_rater_cookie(response, visit.study)
    return allow_posting_to(response, panel_exit.post_to)


def _show(request: HttpRequest, visit: Visit, form: WithdrawalForm, *, status: int = 422) -> HttpResponse:
    context = {
        "study": visit.study,
        "design": visit.design,
        "is_at_work": visit.study.state == StudyState.OPEN and find_stage(visit.rater).name != StageName.DONE,
        "form": form,
    }
    return render(request, "annotation_ui/leave.html", context, status=status if form.errors else 200)
