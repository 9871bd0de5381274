"""The Human Evaluation Datasheet (HEDS 3.0) of a report, in the file format of the official web form.

A field is `{"data": {criterion: answer}, "control": {}, "number": question}`, under the id that the form gives it
(nlp-heds.github.io). Answers that the system does not know contain a note on what to fill in; questions with options
are left without a choice. `to_fill` lists these fields.

Reference: A. Belz and C. Thomson, "HEDS 3.0: The Human Evaluation Data Sheet Version 3.0", GEM 2025.
"""

from typing import Any, Final

from correlation.reports import Report
from studies.enums import TaskKind
from studies.publishing.methods.facts import Facts
from studies.publishing.methods.vocabulary import (
    AGREEMENTS,
    CORRECTIONS,
    PANELS,
    PLACEHOLDER,
    TASKS,
    TESTS,
    TO_FILL,
    count,
    describe_captioner,
    describe_eligibility,
)

Sheet = dict[str, Any]
_DESIGN: Final = "heds-sample_evaluators_design"
_ELICITATION: Final = "heds-criteria-criterion-response_elicitation"
_CHARACTERISTICS: Final = f"{_DESIGN}-evaluators-characteristics"
_UNKNOWN: Final = {
    "heds-paper_and_resources-paper-link": ("1.1.1", "link to the paper"),
    "heds-paper_and_resources-paper-experiment_identification": ("1.1.2", "which experiment of the paper this is"),
    "heds-paper_and_resources-names_and_affiliations-person_completing_this_sheet-name": ("1.3.1.1", "your name"),
    "heds-paper_and_resources-names_and_affiliations-contact_author-name": ("1.3.2.1", "contact author"),
    f"{_DESIGN}-sample-statistical_power-method": ("3.1.3.1", "how the sample size was chosen (manage.py plan)"),
    f"{_DESIGN}-sample-statistical_power-value": ("3.1.3.2", "statistical power"),
    _CHARACTERISTICS: ("3.2.5", "who the raters are"),
    "heds-ethics-review_body": ("5.1", "the ethics committee that approved it"),
    "heds-ethics-impact_assessments": ("5.4", "impact assessments, or that there was none"),
}
_OPEN_OPTIONS: Final = (
    "2.1-2.5 the evaluated systems: inputs, outputs, task, languages",
    "3.2.2.1 expertise of raters",
    "3.2.2.3 whether raters were known to the authors",
    "3.2.2.4 whether authors were among the raters",
    "4.1.1-4.2.3 type of quality, aspect of output, frame of reference, mode of evaluation",
    "5.3 special category data",
)
_PAID: Final = "1. Paid (monetary compensation)"
_PERSONAL: Final = "2. Yes, personal data as defined by GDPR was evaluated and/or collected"
_OWN_PLACE: Final = "1. Evaluators carry out assessments at a place of their own choosing"


def write_heds(facts: Facts, report: Report) -> Sheet:
    """Return the datasheet, with known answers filled in and the others marked as to be filled in."""
    known = _describe_characteristics(facts)
    unknown = {name: asked for name, asked in _UNKNOWN.items() if name not in known}
    sheet: Sheet = known | {name: _answer(TO_FILL.format(what), number) for name, (number, what) in unknown.items()}
    to_fill = [f"{number} {what}" for number, what in unknown.values()]
    if facts:
        sheet |= _describe_sample(facts) | _describe_criterion(facts, report) | _choose_options(facts)
    open_options = [*_OPEN_OPTIONS] if _is_paid(facts) else [*_OPEN_OPTIONS, "3.2.2.2 payment"]
    sheet["to_fill"] = sorted([*to_fill, *open_options])
    return sheet


def drop_unknown(sheet: Sheet) -> Sheet:
    """Return the datasheet for readers, without the fields that are to be filled in and their list."""
    return {
        name: field
        for name, field in sheet.items()
        if name != "to_fill" and not any(PLACEHOLDER.search(str(each)) for each in field["data"].values())
    }


def _describe_sample(facts: Facts) -> Sheet:
    captions, raters, judgments = facts["captions"], facts["raters"], facts["judgments"]
    design = facts["design"]
    least, median, most = judgments["per_item"]
    preregistration = facts["preregistration"]
    preregistered = (
        f"Design, exclusion rules and plan were frozen on {preregistration['frozen_on']} (SHA-256 "
        f"{preregistration['sha256']})."
        if preregistration
        else "Not preregistered in the system."
    )
    is_computed = facts.get("is_computed", False)
    recruited = "Judgments were imported." if not design["has_consent"] else f"Recruited {PANELS[design['panel']]}."
    recruited = "Nobody: the judgments are computed from known worlds, not human." if is_computed else recruited
    return {
        f"{_DESIGN}-sample-number_of_system_outputs": _answer(
            f"{captions['n_items']} items on {captions['n_images']} images by {captions['n_systems']} systems"
            + "".join(f". {describe_captioner(each)}".removesuffix(".") for each in captions.get("captioners", ())),
            "3.1.1",
        ),
        f"{_DESIGN}-evaluators-number_of_evaluators": _answer("0" if is_computed else str(raters["n"]), "3.2.1"),
        f"{_DESIGN}-evaluators-recruitment_method": _answer(recruited, "3.2.3"),
        f"{_DESIGN}-evaluators-training_practice": _answer(_tell_training(design), "3.2.4"),
        f"{_DESIGN}-experimental_design-preregistered-other_text": _answer(preregistered, "3.3.1"),
        f"{_DESIGN}-experimental_design-collection_method": _answer(
            f"Web pages of Accordance {facts['software']['accordance']}", "3.3.2"
        ),
        f"{_DESIGN}-experimental_design-quality_assurance-description": _answer(_tell_quality(facts), "3.3.3.2"),
        f"{_DESIGN}-experimental_design-what_evaluators_see-description": _answer(
            "Nothing: no person judged."
            if is_computed
            else f"Raters {TASKS[facts['kind']]}; {least} to {most} judgments for each item (median {median:g}).",
            "3.3.4.1",
        ),
    }


def _describe_criterion(facts: Facts, report: Report) -> Sheet:
    design, agreement = facts["design"], facts["agreement"]
    name = design["question"] or facts["title"]
    test = report.design.test
    tested = f"{TESTS[test]}, {CORRECTIONS[report.design.correction]} over all pairs" if test else "None"
    measured = AGREEMENTS[agreement["coefficient"]] if agreement else "InterAA not assessed"
    score = f"{agreement['value']:.4f}" if agreement else "InterAA not assessed"
    answers = {
        f"{_ELICITATION}-participant_criterion_name": (name, "4.3.1"),
        f"{_ELICITATION}-list_or_range": (_tell_scale(facts), "4.3.4"),
        f"{_ELICITATION}-verbatim_question": (design["question"] or TO_FILL.format("the question"), "4.3.6"),
        f"{_ELICITATION}-response_aggregation": (report.protocol, "4.3.9"),
        f"{_ELICITATION}-effect_size_method": (tested, "4.3.10"),
        f"{_ELICITATION}-inter_annotator-agreement": (measured, "4.3.11.1"),
        f"{_ELICITATION}-inter_annotator-agreement_score": (score, "4.3.11.2"),
        f"{_ELICITATION}-intra_annotator-intra_annotator_agreement": ("IntraAA not assessed", "4.3.12.1"),
        f"{_ELICITATION}-intra_annotator-intra_annotator_agreement_score": ("IntraAA not assessed", "4.3.12.2"),
    }
    sheet: Sheet = {field: _answer(text, number, of=name) for field, (text, number) in answers.items()}
    sheet["heds-criteria-criterion"] = {"data": {}, "control": {name: True}, "text": {}}
    return sheet


def _describe_characteristics(facts: Facts) -> Sheet:
    """Return the answer on whom raters were selected from; empty if the design does not say, or nobody judged."""
    if not facts or facts.get("is_computed") or facts.get("is_simulated"):
        return {}
    eligible = describe_eligibility(facts["design"])
    return {_CHARACTERISTICS: _answer(eligible, "3.2.5")} if eligible else {}


def _choose_options(facts: Facts) -> Sheet:
    sheet: Sheet = {}
    if _is_paid(facts):
        sheet[f"{_DESIGN}-evaluators-evaluators-payment-1"] = _choose(_PAID, "3.2.2.2")
    if facts["design"]["has_consent"]:
        sheet[f"{_DESIGN}-experimental_design-experimental_conditions-1"] = _choose(_OWN_PLACE, "3.3.7")
        sheet["heds-ethics-personal_data-2"] = _choose(_PERSONAL, "5.2")
        sheet["heds-ethics-personal_data-other_text"] = _answer(
            "Judgments are stored under pseudonyms; personal data from a panel is stored separately behind a keyed "
            "hash and is erased after the period given in the consent form, or when the person withdraws.",
            "5.2",
        )
    return sheet


def _is_paid(facts: Facts) -> bool:
    pay = facts["design"]["pay"] if facts else {}
    return bool(pay.get("reward") or pay.get("hourly_wage"))


def _tell_training(design: Facts) -> str:
    parts = ["Instructions before the first task."] if design["has_instructions"] else []
    if design["qualification"]:
        share = 100 * design["qualification"]["pass_share"]
        parts.append(f"A qualification, passed with {share:g} % correct answers.")
    return " ".join(parts) or TO_FILL.format("training of raters")


def _tell_quality(facts: Facts) -> str:
    design, excluded = facts["design"], facts["exclusions"]
    every = design["checks"]["every"]
    checks = f"A check with a known answer after every {count(every, 'task')}. " if every else "No checks. "
    rules = ", ".join(f"{name} {value:g}" for name, value in design["exclusion_rules"].items()) or "none declared"
    return f"{checks}Exclusion rules: {rules}. Excluded: {count(excluded['n_raters'], 'rater')}."


def _tell_scale(facts: Facts) -> str:
    design = facts["design"]
    if design["scale"]:
        return "; ".join(f"{point['value']:g} = {point['label']}" for point in design["scale"])
    if design["slider"]:
        return f"{design['slider']['low']:g} to {design['slider']['high']:g} in steps of {design['slider']['step']:g}"
    if facts["kind"] == TaskKind.PAIRWISE:
        return "first caption; second caption" + ("; no preference" if design["allows_no_preference"] else "")
    return TO_FILL.format("the possible answers")


def _answer(text: str, number: str, *, of: str = "") -> Sheet:
    return {"data": {of: text}, "control": {}, "number": number}


def _choose(text: str, number: str) -> Sheet:
    return {"data": {"": True}, "control": {}, "text": {"": text}, "number": number}
