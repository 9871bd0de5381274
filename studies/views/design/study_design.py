"""Shows the design of a study with all its versions, and changes it by section."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from studies.design.changes import CannotChangeDesign, change_design, list_frozen_fields
from studies.design.completeness import list_missing
from studies.design.design_history import list_design_steps
from studies.design.deviations import DeviationNotConfirmed
from studies.design.study_facts import load_facts
from studies.enums import StudyState
from studies.forms.design.study_design import SECTIONS, SectionForm, make_sections
from studies.models import Study
from studies.rules import CHANGE_STUDY
from studies.shared.errors import ImportFailed, SourceLocation
from studies.views.fetch import fetch_changeable_study, fetch_study, make_actor

STEPS_PER_PAGE = 10


@login_required
@require_safe
def show_design(request: HttpRequest, name: str) -> HttpResponse:
    return _render(request, fetch_study(request, name))


@login_required
@require_POST
def change_section(request: HttpRequest, name: str, section: str) -> HttpResponse:
    study = fetch_changeable_study(request, name)
    if section not in SECTIONS or not SECTIONS[section].fits(study.kind):
        raise Http404(f"no section {section!r}")
    facts = load_facts(study)
    form = SECTIONS[section](
        request.POST, design=facts.design, kind=study.kind, section=section, frozen=list_frozen_fields(study)
    )
    if not form.is_valid() or not _save(request, study, form):
        return _render(request, study, form, status=422)
    return redirect(f"{request.path.rpartition(f'{section}/')[0]}#{section}")


def _save(request: HttpRequest, study: Study, form: SectionForm) -> bool:
    try:
        version = change_design(
            study,
            changes=form.list_changes(),
            now=timezone.now(),
            actor=make_actor(request),
            user=request.user,
            confirmation=form.confirmation,
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
    messages.success(request, f"Saved as version {version.number}." if version else "Nothing was changed.")
    return True


def _render(
    request: HttpRequest, study: Study, changed: SectionForm | None = None, *, status: int = 200
) -> HttpResponse:
    facts, may_change = load_facts(study), request.user.has_perm(CHANGE_STUDY, study)
    sections = make_sections(study.kind, design=facts.design, frozen=list_frozen_fields(study), may_change=may_change)
    if changed is not None:
        sections[changed.section] = changed
    steps = Paginator(list_design_steps(study), STEPS_PER_PAGE).get_page(request.GET.get("versions"))
    context: dict[str, Any] = {
        "study": study,
        "tab": "studies:design",
        "facts": facts,
        "sections": sections.values(),
        "changed": changed,
        "may_change": may_change,
        "missing": list_missing(study, facts.design) if study.state == StudyState.DRAFT else (),
        "steps": steps,
    }
    return render(request, "studies/design.html", context, status=status)
