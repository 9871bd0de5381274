"""What each step of making a study shows beside its form."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.core.paginator import Paginator
from django.http import HttpRequest
from django.urls import reverse

from studies.analysis.items import list_item_keys, load_items
from studies.design.completeness import find_missing
from studies.design.design_history import list_design_steps
from studies.design.presets import PRESETS
from studies.design.steps.costs import CostEstimate, estimate_cost
from studies.design.steps.drafts import list_drafted_steps
from studies.design.steps.recommendations import PREREGISTRATION, SIMULATION, list_recommended
from studies.design.study_facts import StudyFacts
from studies.enums import StudyState, TaskKind
from studies.forms.design.steps import STEPS, Step, StepForm, apply_typed, find_place
from studies.models import Candidate, Image, Preregistration, Reference, Study, System
from studies.rules import CHANGE_STUDY, MANAGE_STUDY
from studies.views.study import make_link

STEPS_PER_PAGE = 10
_FIRST_ITEMS: Final = 3
_PAGES: Final = {SIMULATION: "studies:simulation", PREREGISTRATION: "studies:preregistration"}


@dataclass(frozen=True, slots=True)
class StepLink:
    """A step in the list of steps: what the study lacks there, and whether changes in it are not saved."""

    name: str
    title: str
    missing: tuple[str, ...]
    is_drafted: bool


@dataclass(frozen=True, slots=True)
class Todo:
    """A line of the checklist, with the page and the field where it is done."""

    words: str
    why: str
    address: str
    where: str


def describe_step(
    request: HttpRequest, study: Study, step: Step, facts: StudyFacts, form: StepForm
) -> Mapping[str, Any]:
    """Return the values for the page of a step: the list of all steps, and what only this one shows."""
    is_draft = study.state == StudyState.DRAFT
    missing = find_missing(study, facts.design) if is_draft else []
    places = [find_place(each.place, kind=study.kind) for each in missing]
    drafted = list_drafted_steps(study, user=request.user)
    todos = [
        (place[0], Todo(each.words, "", locate_field(study, *place), STEPS[place[0]].title))
        for each, place in zip(missing, places, strict=True)
    ]
    names = list(STEPS)
    at = names.index(step.name)
    context = {
        "links": [
            StepLink(
                each.name,
                each.title,
                tuple(todo.words for place, todo in todos if place == each.name),
                each.name in drafted,
            )
            for each in STEPS.values()
        ],
        "lacks": [todo for place, todo in todos if place == step.name],
        "number": at + 1,
        "previous": STEPS[names[at - 1]] if at else None,
        "following": STEPS[names[at + 1]] if at + 1 < len(names) else None,
        "is_draft": is_draft,
        "n_missing": len(missing),
        "may_perturb": is_draft and study.kind == TaskKind.RATING and request.user.has_perm(MANAGE_STUDY, study),
    }
    describe = {
        "files": _describe_files,
        "question": _describe_question,
        "raters": _describe_raters,
        "analysis": _describe_analysis,
    }.get(step.name)
    if describe is not None:
        context |= describe(study, facts, form)
    if step.name == "launch":
        context |= {
            "missing": [todo for _, todo in todos],
            "link": make_link(request, study) if study.state == StudyState.OPEN else "",
            "may_manage": request.user.has_perm(MANAGE_STUDY, study),
            "drafted": [STEPS[name] for name in names if name in drafted],
            "recommended": _list_advice(request, study, facts) if is_draft else [],
            "versions": Paginator(list_design_steps(study), STEPS_PER_PAGE).get_page(request.GET.get("versions")),
        }
    return context


def estimate_typed_cost(facts: StudyFacts, form: StepForm) -> CostEstimate:
    """Return the cost of the design with what is typed into valid sections of a form."""
    return estimate_cost(apply_typed(facts.design, form), n_tasks=facts.n_tasks)


def _describe_files(study: Study, facts: StudyFacts, _form: StepForm) -> dict[str, Any]:
    images = Image.objects.filter(dataset=study.dataset_id)
    return {
        "n_images": images.count(),
        "n_files": images.exclude(file="").count(),
        "n_captions": Candidate.objects.filter(dataset=study.dataset_id).count(),
        "systems": list(System.objects.filter(dataset=study.dataset_id).order_by("pk").values_list("name", flat=True)),
        "n_references": Reference.objects.filter(image__dataset=study.dataset_id).count(),
        "items": load_items(list(list_item_keys(study)[:_FIRST_ITEMS])) if facts.n_items else [],
    }


def _describe_question(study: Study, _facts: StudyFacts, _form: StepForm) -> dict[str, Any]:
    return {"presets": [preset for preset in PRESETS.values() if preset.kind == study.kind]}


def _describe_raters(_study: Study, facts: StudyFacts, form: StepForm) -> dict[str, Any]:
    return {"cost": estimate_typed_cost(facts, form if form.data is not None else form.send())}


def _describe_analysis(study: Study, _facts: StudyFacts, _form: StepForm) -> dict[str, Any]:
    return {"preregistration": Preregistration.objects.filter(study=study).order_by("-number").first()}


def _list_advice(request: HttpRequest, study: Study, facts: StudyFacts) -> list[Todo]:
    may_change = request.user.has_perm(CHANGE_STUDY, study)
    advice = []
    for each in list_recommended(study, facts.design):
        if each.place in _PAGES:
            if may_change:
                address = reverse(_PAGES[each.place], args=[study.name])
                advice.append(Todo(each.words, each.why, address, each.place.capitalize()))
            continue
        place = find_place(each.place, kind=study.kind)
        advice.append(Todo(each.words, each.why, locate_field(study, *place), STEPS[place[0]].title))
    return advice


def locate_field(study: Study, step: str, field: str) -> str:
    """Return the address of a field on the page of a step, as `find_place` tells them."""
    address = reverse("studies:step", args=[study.name, step])
    return f"{address}#{field}" if field else address
