"""Views for leaving a study permanently: stopping, or withdrawal with or without erasure of the answers."""

import logging
from collections.abc import Mapping
from secrets import SystemRandom
from typing import Final

from django import forms
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST, require_safe

from annotation_ui.views.framing import allow_posting_to
from annotation_ui.views.refused_answers import forget_refused, keep_refused, read_refused
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
_MISSING, _TOO_MANY, _WRONG = "missing", "too_many", "wrong"
_PROBLEMS: Final = {
    _MISSING: _("Please confirm who you are, because this cannot be undone."),
    _TOO_MANY: _("Too many wrong attempts. Please try again in a quarter of an hour."),
    _WRONG: _("This does not match the record of this study."),
}
_PROBLEM: Final = "problem"


class WithdrawalForm(forms.Form):
    """The choice between keeping and erasing the answers; nothing is preselected.

    A form that was refused is shown again with `problem`, what was wrong with the proof (empty: nothing), because the
    proof itself is not kept, and reading it again would count as another attempt.
    """

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

    def __init__(self, data: Mapping[str, str] | None = None, *, visit: Visit, problem: str | None = None) -> None:
        super().__init__(data)
        self.visit, self.problem = visit, problem
        # A browser may be shared or stolen, so the cookie is not enough; anonymous raters have no other proof.
        if not visit.rater.identity_hash:
            del self.fields["proof"]
            return
        by_link = visit.design.panel.kind == PanelKind.IN_HOUSE
        self.fields["proof"].label = _("Your personal link to this study") if by_link else _("Your id on the panel")

    def clean_proof(self) -> str:
        """Reject proofs that do not identify the rater, with a limit of attempts, so that ids cannot be guessed."""
        text: str = self.cleaned_data["proof"]
        problem = self._find_problem(text) if self.problem is None else self.problem
        if problem:
            raise ValidationError(_PROBLEMS[problem], code=problem)
        return text

    def _find_problem(self, proof: str) -> str:
        rater, now = self.visit.rater, read_clock()
        if not proof:
            return _MISSING
        if not count_attempt(PROOFS, f"{rater.pk}", most=MOST_PROOFS, now=now):
            return _TOO_MANY
        named = self.visit.channel.read_proof(proof)
        if named is None or rater.identity_hash not in list_identity_hashes(named):
            record_refusal(rater, reason="WrongProof", now=now)
            return _WRONG
        return ""


@require_safe
@for_former_raters
def show_leaving(request: HttpRequest, visit: Visit) -> HttpResponse:
    refused = read_refused(request, form=_name_form(visit))
    if refused is None:
        return _show(request, visit, WithdrawalForm(visit=visit))
    form = WithdrawalForm(refused, visit=visit, problem=refused[_PROBLEM])
    # Errors are shown once, because the limit of attempts ends and the page may be opened again later.
    return forget_refused(request, _show(request, visit, form), path=_find_page(visit))


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
        return _ask_again(request, visit, form)
    # Fetched first, because the panel's parameters are erased with the rater's identity.
    submission = find_submission(visit.rater)
    outcome = RaterOutcome(visit.rater.outcome or RaterOutcome.WITHDRAWN)
    panel_exit = visit.channel.make_exit(name_end(visit.rater, submission, outcome=outcome), submission)
    try:
        receipt = withdraw(
            visit.rater, erase_judgments=form.cleaned_data["answers"] == ERASE, now=read_clock(), rng=SystemRandom()
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


def _ask_again(request: HttpRequest, visit: Visit, form: WithdrawalForm) -> HttpResponse:
    """Redirect to the page with the form, with the choice and the errors but without the proof."""
    codes = [str(error.code) for error in form.errors.as_data().get("proof", [])]
    problem = next((code if code in _PROBLEMS else _WRONG for code in codes), "")
    response = redirect(_find_page(visit))
    refused = {"answers": form.data.get("answers", ""), _PROBLEM: problem}
    is_kept = keep_refused(response, refused, form=_name_form(visit), path=_find_page(visit))
    return response if is_kept else _show(request, visit, form, status=422)


def _find_page(visit: Visit) -> str:
    return reverse("annotation_ui:leave", args=[visit.study.join_token])


def _name_form(visit: Visit) -> str:
    return f"leave-{visit.rater.pk}"


def _show(request: HttpRequest, visit: Visit, form: WithdrawalForm, *, status: int = 200) -> HttpResponse:
    context = {
        "study": visit.study,
        "design": visit.design,
        "is_at_work": visit.study.state == StudyState.OPEN and find_stage(visit.rater).name != StageName.DONE,
        "form": form,
    }
    return render(request, "annotation_ui/leave.html", context, status=status)
