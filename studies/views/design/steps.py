"""The steps of making a study: each is a page that saves its part of the design, and keeps what is typed."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from studies.design.changes import CannotChangeDesign, change_design, list_frozen_fields
from studies.design.completeness import find_missing
from studies.design.preregistration.deviations import DeviationNotConfirmed
from studies.design.presets import PRESETS
from studies.design.steps.drafts import DraftChanged, drop_draft, find_draft, keep_draft
from studies.design.study_design import StudyDesign
from studies.design.study_facts import StudyFacts, load_facts
from studies.enums import StudyState
from studies.forms.design.steps import (
    BASED_ON,
    LAUNCH,
    REVISION,
    STEPS,
    Step,
    StepForm,
    find_place,
    merge_changes,
    say_value,
)
from studies.models import DesignDraft, Study, StudyVersion
from studies.rules import CHANGE_STUDY
from studies.shared.errors import ImportFailed, SourceLocation
from studies.views.design.step_contexts import describe_step, estimate_typed_cost
from studies.views.fetch import fetch_changeable_study, fetch_study, who_and_when

SAVED = "saved"


@login_required
@require_safe
def show_design(request: HttpRequest, name: str) -> HttpResponse:
    """Go to the first step that lacks something, else to the last one."""
    study = fetch_study(request, name)
    places = find_missing(study, load_facts(study).design) if study.state == StudyState.DRAFT else []
    lacking = {find_place(missing.place, kind=study.kind)[0] for missing in places}
    return redirect("studies:step", study.name, next((step for step in STEPS if step in lacking), LAUNCH))


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def show_step(request: HttpRequest, name: str, step: str) -> HttpResponse:
    """Show a step, with what was typed and not saved; or save it and go on to another step."""
    chosen = _find_step(step)
    if request.method != "POST":
        study = fetch_study(request, name)
        return _show(request, study, chosen)
    study = fetch_changeable_study(request, name)
    if not chosen.sections:
        return redirect("studies:step", study.name, _choose_next(request, chosen))
    return _receive(request, study, chosen)


@login_required
@require_POST
def keep_typed(request: HttpRequest, name: str, step: str) -> HttpResponse:
    """Keep what is typed into a step without saving it, and answer with what follows from it."""
    study, chosen = fetch_changeable_study(request, name), _find_step(step)
    facts = load_facts(study)
    form = _make_form(study, chosen, facts.design, data=request.POST.dict())
    typed = form.read_typed()
    based_on = _read_version(request, facts)
    # What arrives after it was saved, since it was long on its way, is in the newest version only.
    designs = [_load_design(study, based_on, facts), facts.design]
    if not all(_make_form(study, chosen, design).compare(typed) for design in designs):
        drop_draft(study, user=request.user, step=step, revision=request.POST.get(REVISION, ""))
        return JsonResponse({"revision": "", **_say_consequences(study, facts, form)})
    try:
        draft = keep_draft(
            study,
            user=request.user,
            step=step,
            typed=typed,
            based_on=based_on,
            revision=None if "force" in request.POST else request.POST.get(REVISION, ""),
            now=timezone.now(),
        )
    except DraftChanged as error:
        shown = _make_form(study, chosen, facts.design, typed=error.other.typed)
        labels = shown.compare(typed)
        rows = [
            (label, say_value(error.other.typed.get(field, "")), say_value(typed.get(field, "")))
            for field, label in labels.items()
        ]
        page = render_to_string("studies/steps/two_tabs.html", {"rows": rows, "draft": error.other}, request)
        return JsonResponse({"conflict": page, "revision": error.other.revision}, status=409)
    return JsonResponse(
        {"revision": draft.revision, "saved_at": draft.saved_at.isoformat(), **_say_consequences(study, facts, form)}
    )


@login_required
@require_POST
def drop_typed(request: HttpRequest, name: str, step: str) -> HttpResponse:
    """Discard what was typed into a step and not saved."""
    study, chosen = fetch_changeable_study(request, name), _find_step(step)
    drop_draft(study, user=request.user, step=chosen.name)
    messages.success(request, "Discarded the changes that were not saved.")
    return _go(study, chosen.name, saved=chosen.name)


@login_required
@require_POST
def apply_preset(request: HttpRequest, name: str, step: str) -> HttpResponse:
    """Fill a step from a preset, without saving it; everything else that is typed stays."""
    study, chosen = fetch_changeable_study(request, name), _find_step(step)
    preset = PRESETS.get(request.POST.get("preset", ""))
    if preset is None or preset.kind != study.kind:
        raise Http404("no such preset for this kind of study")
    facts = load_facts(study)
    typed = _make_form(study, chosen, facts.design, data=request.POST.dict()).read_typed()
    filled = _make_form(study, chosen, preset.design).send().read_typed()
    keep_draft(
        study,
        user=request.user,
        step=step,
        typed=typed | filled,
        based_on=_read_version(request, facts),
        revision=None,
        now=timezone.now(),
    )
    messages.info(request, f"Filled in from “{preset.title}”. Nothing is saved yet.")
    return _go(study, step, saved=step)


@transaction.atomic
def _receive(request: HttpRequest, study: Study, step: Step) -> HttpResponse:
    # Nobody saves another version between the merge and the new version, which would undo theirs.
    Study.objects.select_for_update().get(pk=study.pk)
    facts = load_facts(study)
    base = _load_design(study, _read_version(request, facts), facts)
    data, conflicts = merge_changes(
        request.POST.dict(), base=_make_form(study, step, base), newest=_make_form(study, step, facts.design)
    )
    form = _make_form(study, step, facts.design, data=data)
    if conflicts or not form.is_valid() or not _save(request, study, form):
        # What was sent is kept, since the next click may be on a link.
        revision = _keep_sent(request, study, form, based_on=facts.version)
        status = 409 if conflicts else 422
        return _render(request, study, step, form, facts=facts, conflicts=conflicts, revision=revision, status=status)
    sent = _make_form(study, step, facts.design, data=request.POST.dict()).read_typed()
    drop_draft(study, user=request.user, step=step.name, revision=request.POST.get(REVISION, ""), typed=sent)
    return _go(study, _choose_next(request, step), saved=step.name)


def _keep_sent(request: HttpRequest, study: Study, form: StepForm, *, based_on: int) -> str:
    """Keep what was sent and not saved as a draft, unless another tab has one; return the revision."""
    known = request.POST.get(REVISION, "")
    given: dict[str, Any] = {"typed": form.read_typed(), "based_on": based_on, "revision": known}
    try:
        return keep_draft(study, user=request.user, step=form.step.name, now=timezone.now(), **given).revision
    except DraftChanged:
        return known


def _save(request: HttpRequest, study: Study, form: StepForm) -> bool:
    try:
        version = change_design(
            study,
            changes=form.list_changes(),
            user=request.user,
            confirmation=form.confirmation,
            **who_and_when(request),
        )
    except DeviationNotConfirmed as error:
        form.unconfirmed = error
        return False
    except ImportFailed as error:
        form.tell(error.location.field if isinstance(error.location, SourceLocation) else "", f"This {error.rule}.")
        return False
    except CannotChangeDesign as error:
        form.tell(error.field, str(error))
        return False
    if version:
        messages.success(request, f"Saved “{form.step.title}” as version {version.number}.")
    return True


def _show(request: HttpRequest, study: Study, step: Step) -> HttpResponse:
    facts, may_change = load_facts(study), request.user.has_perm(CHANGE_STUDY, study)
    draft = find_draft(study, user=request.user, step=step.name) if may_change and step.sections else None
    typed: dict[str, Any] = {}
    if draft is not None:
        # What others have saved since is shown, except in the fields that were typed into.
        changed = _make_form(study, step, _load_design(study, draft.based_on, facts)).compare(draft.typed)
        typed = {name: draft.typed.get(name, False) for name in changed}
    form = _make_form(study, step, facts.design, may_change=may_change, typed=typed)
    return _render(
        request,
        study,
        step,
        form,
        facts=facts,
        draft=draft if typed else None,
        revision=draft.revision if draft else "",
    )


def _render(
    request: HttpRequest,
    study: Study,
    step: Step,
    form: StepForm,
    *,
    facts: StudyFacts,
    draft: DesignDraft | None = None,
    revision: str = "",
    conflicts: tuple[Any, ...] = (),
    status: int = 200,
) -> HttpResponse:
    may_change = request.user.has_perm(CHANGE_STUDY, study)
    context = {
        "study": study,
        "tab": "studies:design",
        "step": step,
        "form": form,
        "facts": facts,
        "may_change": may_change,
        "draft": draft,
        "based_on": draft.based_on if draft else facts.version,
        "revision": revision,
        "conflicts": conflicts,
        "saved": request.GET.get(SAVED, "") if request.GET.get(SAVED) in STEPS else "",
        **describe_step(request, study, step, facts, form),
    }
    return render(request, f"studies/steps/{step.name}.html", context, status=status)


def _make_form(study: Study, step: Step, design: StudyDesign, **given: Any) -> StepForm:
    return StepForm(step, kind=study.kind, design=design, frozen=list_frozen_fields(study), **given)


def _say_consequences(study: Study, facts: StudyFacts, form: StepForm) -> dict[str, str]:
    """Return the parts of the page that follow from what is typed."""
    if "pay" not in form.sections:
        return {}
    cost = estimate_typed_cost(facts, form)
    return {"cost": render_to_string("studies/steps/cost.html", {"cost": cost, "study": study})}


def _find_step(name: str) -> Step:
    if name not in STEPS:
        raise Http404(f"no step {name!r}")
    return STEPS[name]


def _choose_next(request: HttpRequest, step: Step) -> str:
    """Return the step to go to: the one that was asked for, else the next."""
    asked = request.POST.get("go", "")
    if asked in STEPS:
        return asked
    names = list(STEPS)
    return names[min(names.index(step.name) + 1, len(names) - 1)]


def _go(study: Study, step: str, *, saved: str) -> HttpResponse:
    """Go to a step; the page deletes the browser's copy of what has been saved."""
    return redirect(f"{reverse('studies:step', args=[study.name, step])}?{SAVED}={saved}")


def _read_version(request: HttpRequest, facts: StudyFacts) -> int:
    """Return the version on which the page was based; the newest if it does not say so."""
    given = request.POST.get(BASED_ON, "")
    # A longer number is no version, and `int` refuses very long ones.
    number = int(given) if given.isascii() and given.isdigit() and len(given) < 10 else facts.version
    return min(number, facts.version)


def _load_design(study: Study, number: int, facts: StudyFacts) -> StudyDesign:
    if number == facts.version:
        return facts.design
    version = StudyVersion.objects.filter(study=study, number=number).first()
    return StudyDesign.from_json(version.design) if version else facts.design
