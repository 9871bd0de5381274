"""Views for leaving a study permanently: stopping, or withdrawal with or without erasure of the answers."""

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
from studies.access.limits import PROOFS, count_attempt
from studies.collection.arrival.arrivals import find_submission, name_end
from studies.collection.arrival.raters import list_identity_hashes
from studies.collection.assignment import StageName, find_stage, leave_study
from studies.collection.events import record_refusal
from studies.collection.privacy.erasure_log import LogUnwritable
from studies.collection.privacy.withdrawal import AlreadyWithdrawn, withdraw
from studies.enums import PanelKind, RaterOutcome, StudyState
from studies.shared.clock import read_clock

logger = logging.getLogger(__name__)
KEEP, ERASE = "keep", "erase"
MOST_PROOFS: Final = 10
"""The limit of attempts of a rater within a quarter of an hour."""


class WithdrawalForm(forms.Form):
    """The choice between keeping and erasing the answers; nothing is preselected."""

    use_required_attribute = False
    answers = forms.ChoiceField(
        choices=[
            (ERASE, _("Erase my answers too.")),
            (KEEP, _("Keep my answers without my identity.")),
        ],
        widget=forms.RadioSelect,
        error_messages={"required": _("Choose what happens to your answers.")},
    )
    proof = forms.CharField(
        required=False, max_length=2000, strip=True, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )

    def __init__(self, data: QueryDict | None = None, *, visit: Visit) -> None:
        super().__init__(data)
        self.visit = visit
        # A browser may be shared or stolen, so the cookie is not enough; anonymous raters have no other proof.
        if not visit.rater.identity_hash:
            del self.fields["proof"]
            return
        by_link = visit.design.panel.kind == PanelKind.IN_HOUSE
        self.fields["proof"].label = _("Your personal link to this study") if by_link else _("Your id on the panel")

    def clean_proof(self) -> str:
        """Reject proofs that do not identify the rater, with a limit of attempts, so that ids cannot be guessed."""
        text, rater, now = self.cleaned_data["proof"], self.visit.rater, read_clock()
        if not text:
            raise ValidationError(_("Please confirm who you are, because this cannot be undone."))
        if not count_attempt(PROOFS, f"{rater.pk}", most=MOST_PROOFS, now=now):
            raise ValidationError(_("Too many wrong attempts. Please try again in a quarter of an hour."))
        named = self.visit.channel.read_proof(text)
        if named is None or rater.identity_hash not in list_identity_hashes(named):
            record_refusal(rater, reason="WrongProof", now=now)
            raise ValidationError(_("This does not match the record of this study."))
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
    # Fetched first, because the panel's parameters are erased with the rater's identity.
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
    # The receipt is only on this page; afterwards there are no data from which to show it again.
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
