"""Clones a study, either all or as a pilot."""

from secrets import SystemRandom

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from studies.datasets.cloning import apply_setting, clone_study, name_copy
from studies.datasets.names import find_free_name
from studies.design.study_facts import load_facts
from studies.forms.design.clone import CloneForm
from studies.models import Study
from studies.shared.errors import ImportFailed
from studies.views.fetch import fetch_changeable_study, who_and_when


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def clone(request: HttpRequest, name: str) -> HttpResponse:
    study = fetch_changeable_study(request, name)
    facts = load_facts(study)
    initial = {"name": find_free_name(study.name), "title": name_copy(study.title)}
    form = CloneForm(request.POST or None, n_main=facts.n_tasks, initial=initial)
    if request.method == "POST" and form.is_valid():
        made = _make(request, study, form)
        if made is not None:
            messages.success(
                request, f"Created {'a pilot' if made.pilot_of_id else 'a clone'} of {study.title} as a draft."
            )
            return redirect("studies:design", made.name)
    context = {"study": study, "tab": "studies:design", "form": form, "n_main": facts.n_tasks}
    return render(request, "studies/clone.html", context, status=422 if form.errors else 200)


def _make(request: HttpRequest, study: Study, form: CloneForm) -> Study | None:
    given = form.cleaned_data
    try:
        return clone_study(
            study,
            name=given["name"],
            title=given["title"],
            owner=request.user,
            changes=apply_setting(load_facts(study).design, given.get("changes", {})),
            n_tasks=given["n_tasks"] or 0,
            rng=SystemRandom(),
            **who_and_when(request),
        )
    except ImportFailed as error:
        form.add_error(None, str(error))
        return None
