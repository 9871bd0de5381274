"""Facts on how the judgments of a report were collected, recorded when it is frozen as the study may change later."""

import platform
from importlib.metadata import version
from typing import Any, Final

import numpy as np
from django.db.models import Count, Max, Min

from correlation.agreement.measures import measure_agreement
from correlation.protocols.reading import read_protocol
from correlation.reports import Report
from studies.analysis.agreement import choose_coefficients
from studies.analysis.correlations import StudyObservations
from studies.design.preregistration.declaration import Analysis, list_deviations
from studies.design.preregistration.deviations import Deviation, find_preregistration, load_plan
from studies.design.study_design import StudyDesign
from studies.enums import RaterOutcome, TaskKind, TaskRole
from studies.models import (
    Candidate,
    Exclusion,
    Item,
    Judgment,
    QualificationAttempt,
    Rater,
    Reference,
    Study,
    StudyVersion,
    System,
)
from studies.publishing.report_systems import FACT as SYSTEMS
from studies.publishing.report_systems import freeze_ranking

Facts = dict[str, Any]
LIBRARIES: Final = ("accordance", "numpy", "scipy")
_PREFERRED: Final = ("krippendorff-ordinal", "krippendorff-interval", "krippendorff-nominal")


def collect_facts(gathered: StudyObservations, report: Report) -> Facts:
    """Return the recorded facts as JSON: on the study, its captions, raters, judgments, exclusions and software."""
    study = gathered.study
    newest = StudyVersion.objects.filter(study=study).order_by("-number").first()
    design = StudyDesign.from_json(newest.design) if newest else StudyDesign()
    return {
        "study": study.name,
        "title": study.title,
        "kind": study.kind,
        "dataset": study.dataset.title,
        "source": study.dataset.source,
        "version": newest.number if newest else 0,
        "design": _describe_design(design),
        "captions": _count_captions(study),
        # Set for simulations only: any other simulated data are marked by the source of the dataset.
        **({"is_simulated": True} if study.is_simulated else {}),
        **({"is_computed": True} if study.is_computed else {}),
        "raters": _count_raters(study, has_placeholders=gathered.judgments.has_placeholders),
        "judgments": _count_judgments(gathered),
        "exclusions": _count_exclusions(study),
        "agreement": _measure_agreement(gathered),
        "preregistration": _find_preregistration(study),
        "deviations": [str(each) for each in _list_deviations(gathered, report)],
        **({SYSTEMS: ranking} if (ranking := freeze_ranking(study)) else {}),
        "software": {"python": platform.python_version(), **{name: version(name) for name in LIBRARIES}},
    }


def _describe_design(design: StudyDesign) -> Facts:
    known = design.to_json()
    wanted = (
        "question",
        "scale",
        "slider",
        "allows_no_preference",
        "raters_per_task",
        "qualification",
        "checks",
        "eligibility",
        "pay",
    )
    return {
        **{name: known[name] for name in wanted},
        "exclusion_rules": {name: value for name, value in known["exclusion_rules"].items() if value is not None},
        "panel": str(design.panel.kind),
        "has_consent": bool(design.consent),
        "has_instructions": bool(design.instructions),
    }


def _count_captions(study: Study) -> Facts:
    items = Item.objects.filter(task__study=study, task__role=TaskRole.MAIN)
    images = items.order_by().values("image").distinct()
    per_image = list(
        Reference.objects.filter(image__in=images).order_by().values("image").annotate(n=Count("pk")).values_list("n")
    )
    n_images = images.count()
    counts = [n for (n,) in per_image] + [0] * (n_images - len(per_image))
    systems = {
        name
        for path in ("candidate__system__name", "other_candidate__system__name", "caption_set__system__name")
        for name in items.exclude(**{path: None}).order_by().values_list(path, flat=True).distinct()
    }
    records = System.objects.filter(dataset=study.dataset_id, name__in=systems).exclude(captioner=None)
    captioners = [{"system": each.name, **each.captioner} for each in records]
    return {
        **({"captioners": captioners} if captioners else {}),
        "n_items": items.count(),
        "n_images": n_images,
        "n_systems": len(systems),
        "n_candidates": Candidate.objects.filter(dataset=study.dataset_id).count(),
        "references_per_image": [min(counts, default=0), max(counts, default=0)],
    }


def _count_raters(study: Study, *, has_placeholders: bool) -> Facts:
    main = Judgment.objects.filter(item__task__study=study, item__task__role=TaskRole.MAIN)
    outcomes = Rater.objects.filter(study=study).order_by().values_list("outcome").annotate(n=Count("pk"))
    failed = QualificationAttempt.objects.filter(rater__study=study).order_by().values("rater").distinct().count()
    return {
        "n": main.order_by().values("rater").distinct().count(),
        "are_positions": has_placeholders,
        "n_joined": Rater.objects.filter(study=study).count(),
        "outcomes": {outcome or "in progress": n for outcome, n in sorted(outcomes)},
        "n_tried_qualification": failed,
        "n_withdrawn": Rater.objects.filter(study=study, outcome=RaterOutcome.WITHDRAWN).count(),
    }


def _count_judgments(gathered: StudyObservations) -> Facts:
    table = gathered.judgments.table
    counts = table.judgments_per_item
    judged = counts[counts > 0]
    main = Judgment.objects.filter(item__task__study=gathered.study, item__task__role=TaskRole.MAIN)
    span = main.aggregate(first=Min("created_at"), last=Max("created_at"))
    return {
        "n": len(table.value),
        "n_items": len(judged),
        "per_item": [int(judged.min()), float(np.median(judged)), int(judged.max())] if len(judged) else [0, 0.0, 0],
        "first_on": span["first"].date().isoformat() if span["first"] else "",
        "last_on": span["last"].date().isoformat() if span["last"] else "",
    }


def _count_exclusions(study: Study) -> Facts:
    in_force = Exclusion.objects.filter(rater__study=study, lifted_at=None).order_by()
    by_rule = in_force.values_list("rule").annotate(n=Count("pk"))
    return {"n_raters": in_force.count(), "by_rule": {rule or "by hand": n for rule, n in sorted(by_rule)}}


def _measure_agreement(gathered: StudyObservations) -> Facts | None:
    """Return Krippendorff's alpha with the distance function of the scale; None where it is undefined."""
    if gathered.judgments.is_computed:
        return None
    table = gathered.judgments.table
    fitting = choose_coefficients(gathered.study, table)
    name = next((each for each in _PREFERRED if each in fitting), None)
    if name is None or gathered.study.kind == TaskKind.CAPTION or gathered.protocol.criteria:
        return None
    found = measure_agreement(item=table.item, rater=table.rater, value=table.value, coefficient=name)
    if not np.isfinite(found.value):
        return None
    return {"coefficient": name, "value": found.value, "n_items": found.n_items}


def _list_deviations(gathered: StudyObservations, report: Report) -> tuple[Deviation, ...]:
    plan = load_plan(gathered.study)
    if plan is None:
        return ()
    planned = plan["protocol"]
    # The preregistration may give the protocol by name while the report has its full signature.
    is_planned = read_protocol(planned).signature == report.protocol
    done = Analysis(
        protocol=planned if is_planned else report.protocol,
        metrics=sorted(each.id for each in report.metrics),
        test=report.design.test,
        alpha=report.design.alpha,
        correction=report.design.correction if report.design.test else None,
    )
    return list_deviations(gathered.study, analysis=done)


def _find_preregistration(study: Study) -> Facts | None:
    newest = find_preregistration(study)
    if newest is None:
        return None
    return {"number": newest.number, "sha256": newest.digest, "frozen_on": newest.frozen_at.date().isoformat()}
