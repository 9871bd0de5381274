"""Tests of the text on methods, sentence by sentence, and of what is left to its author."""

import re
from dataclasses import asdict

import pytest

from studies.analysis.correlations import gather_observations
from studies.analysis.reports import report_observations
from studies.design.preregistration.declaration import AnalysisPlan, describe_study, write_canonical
from studies.design.study_design import Checks, ExclusionRules, Panel, Pay, Qualification
from studies.enums import PanelKind
from studies.models import Preregistration, StudyVersion
from studies.monitoring.exclusion import exclude_rater
from studies.publishing.methods.facts import collect_facts
from studies.publishing.methods.heds import write_heds
from studies.publishing.methods.text import write_methods
from studies.publishing.report_jobs import ReportChoices
from tests.factories.studies import NOW, SCALE, make_design, make_study
from tests.studies.rated import make_rated_study, make_voted_study

pytestmark = pytest.mark.django_db
CHOICES = ReportChoices(method="percentile", clusters=("images",), test="perm-both", resamples=20, seed=3)


def make(study, choices=CHOICES):
    gathered = gather_observations(study)
    chosen = choices.choose_inference(gathered.study, gathered.protocol, n_metrics=len(gathered.metrics))
    report = report_observations(
        gathered,
        interval=chosen.interval,
        comparison=chosen.comparison,
        seed=choices.seed,
    )
    return collect_facts(gathered, report), report


@pytest.fixture
def crowd():
    study = make_rated_study(n_raters=4)
    design = make_design(
        scale=SCALE,
        panel=Panel(kind=PanelKind.PROLIFIC),
        pay=Pay(currency="EUR", reward=1.5, hourly_wage=12),
        qualification=Qualification(pass_share=0.75, attempts=3),
        checks=Checks(every=10),
        exclusion_rules=ExclusionRules(failed_checks=1),
    )
    StudyVersion.objects.create(study=study, number=2, design=design.to_json(), created_at=NOW)
    exclude_rater(study.raters.get(pseudonym="rater-3"), reason="failed", rule="failed_checks", now=NOW)
    plan = AnalysisPlan(study.protocol, "kendall-c", ("length",), "perm-both", 0.05, "holm", "When all is done.")
    declared = write_canonical(describe_study(study) | {"plan": asdict(plan)})
    Preregistration.objects.create(study=study, number=1, content=declared, digest="ab" * 32, frozen_at=NOW)
    return study


def test_methods_of_a_crowd_study(crowd):
    facts, report = make(crowd)

    first, second = write_methods(facts, report).paragraphs

    assert first == (
        "Raters rated captions one by one on a scale of 4 points from 1 (“Bad”) to 4 (“Good”), asked “How well does "
        "it fit?”. The data set Rated-Data has 12 items to judge on 12 images, by 1 system, with 1 reference for "
        "each image. 4 raters were recruited on Prolific and gave their consent. [TO FILL: who could take part: "
        "languages, countries, experience] They were paid 1.50 EUR for a session and at least 12.00 EUR an hour. "
        "There are 36 judgments, 3 for each of 12 items, given on 2025-03-01. Raters qualified with 75 % "
        "correct answers in at most 3 attempts. A check with a known answer was shown after every 10 tasks. "
        "1 rater was excluded from the analysis: 1 by the rule “failed checks”. Design, exclusion rules and analysis "
        "plan were "
        "preregistered on 2025-03-01, before the first judgment (SHA-256 abababababab). Deviations from the "
        "preregistration: metrics added: preregistered length, now rouge-l. Inter-rater agreement is Krippendorff's "
        "alpha "
        "(ordinal) = "
        f"{facts['agreement']['value']:.3f}."
    )
    assert second.startswith(
        "Metrics were compared with human judgments under protocol custom@1: Kendall τ-c over all items. "
        "Individual judgments are used. Metrics were given all references of an image. 2 metrics were compared: "
        "length|tok:ptb|v:1 and "
        "rouge-l|tok:ptb|beta:1.2|v:1. Intervals of 95 % are by percentile bootstrap over images, 20 resamples "
        "(seed 3). Differences between metrics were tested by a permutation test that swaps the scores of single "
        "candidates (PERM-BOTH) with 20 resamples, two-sided, corrected by Holm over all pairs, at alpha 0.05. The "
        "human ceiling is "
    )
    assert re.search(r"Computed with Accordance [\d.]+, Python [\d.]+, NumPy [\d.]+,? and SciPy [\d.]+\.", second)


def test_methods_of_published_judgments_say_that_positions_are_no_people():
    facts, report = make(make_voted_study(are_placeholders=True), ReportChoices(method="none"))

    text = write_methods(facts, report).to_text()

    assert "Raters chose the better of two captions" in text
    assert "3 positions (first judgment, second judgment, ...) are used in place of raters." in text
    assert "two equal scores count as half right" in text
    assert "Intervals" not in text


def test_latex_has_nothing_that_latex_takes_for_a_command():
    study = make_rated_study()
    study.dataset.title = "50% of A & B_c"
    study.dataset.save()
    facts, report = make(study, ReportChoices())

    latex = write_methods(facts, report).to_latex()

    assert "50\\% of A \\& B\\_c" in latex


def test_a_report_without_facts_says_so():
    _, report = make(make_rated_study(), ReportChoices())

    assert write_methods({}, report).paragraphs == (
        "This report was frozen before methods texts were stored; freeze a new report to get one.",
    )
    assert len(write_heds({}, report)["to_fill"]) > 10


def test_datasheet_has_what_is_known_and_says_what_is_not(crowd):
    facts, report = make(crowd)

    sheet = write_heds(facts, report)

    design = "heds-sample_evaluators_design"
    assert sheet[f"{design}-evaluators-number_of_evaluators"] == {"data": {"": "4"}, "control": {}, "number": "3.2.1"}
    assert sheet[f"{design}-evaluators-evaluators-payment-1"]["text"] == {"": "1. Paid (monetary compensation)"}
    scale = sheet["heds-criteria-criterion-response_elicitation-list_or_range"]
    assert scale["data"] == {"How well does it fit?": "1 = Bad; 2 = Poor; 3 = Fair; 4 = Good"}
    assert sheet["heds-ethics-review_body"]["data"][""].startswith("[TO FILL: ")
    assert "5.1 the ethics committee that approved it" in sheet["to_fill"]
    assert "3.2.2.2 payment" not in sheet["to_fill"]
    assert "Prolific" in sheet[f"{design}-evaluators-recruitment_method"]["data"][""]


def test_who_could_take_part_is_stated_and_nothing_is_left_to_fill_in(crowd):
    facts, report = make(crowd)
    facts["design"]["eligibility"] = "Native speakers of English in Ireland,\nwith an approval rate of 95 % or more"

    methods, sheet = write_methods(facts, report), write_heds(facts, report)

    said = "Who could take part: Native speakers of English in Ireland, with an approval rate of 95 % or more."
    assert f"4 raters were recruited on Prolific and gave their consent. {said} They were paid" in methods.to_text()
    assert methods.missing == ()
    characteristics = sheet["heds-sample_evaluators_design-evaluators-characteristics"]
    assert characteristics == {"data": {"": said}, "control": {}, "number": "3.2.5"}
    assert not any(each.startswith("3.2.5") for each in sheet["to_fill"])


@pytest.mark.parametrize("mark", ["is_simulated", "is_computed"])
def test_nobody_could_take_part_where_nobody_judged(crowd, mark):
    facts, report = make(crowd)
    facts["design"]["eligibility"] = "Adults"
    facts[mark] = True

    assert "Who could take part" not in write_methods(facts, report).to_text()
    assert any(each.startswith("3.2.5") for each in write_heds(facts, report)["to_fill"])


def test_who_judged_imported_captions_is_stated_too(crowd):
    facts, report = make(crowd)
    facts["design"] |= {"has_consent": False, "eligibility": "Three experts."}

    assert "were imported" in (text := write_methods(facts, report).to_text())
    assert ". Who could take part: Three experts. There are 36 judgments" in text


def test_captioners_of_judged_systems_are_named(crowd):
    facts, report = make(crowd)
    record = {
        "system": "mine", "captioner": "att2in", "title": "Att2in", "version": "3", "citation": "Rennie et al. (2017)",
        "decoding": "beam", "n_captions": 5, "seed": 2, "parameters": {"hidden": 512}, "digest": "0123456789ab",
        "note": "text-conditioned",
    }  # fmt: skip
    facts["captions"]["captioners"] = [record]

    told = (
        "The captions of system mine are by the captioner att2in (Rennie et al. (2017); version 3, decoding beam, "
        "hidden 512, 5 captions for each image, seed 2, files 0123456789ab, text-conditioned)"
    )
    assert f"{told}." in write_methods(facts, report).to_text()
    (outputs,) = write_heds(facts, report)["heds-sample_evaluators_design-sample-number_of_system_outputs"][
        "data"
    ].values()
    assert outputs.endswith(told)


def test_simulated_judgments_are_called_so() -> None:
    study = make_rated_study(n_raters=4)
    study.is_simulated, study.simulation_of = True, make_study("simulated")
    study.save()

    facts, report = make(study)

    said = write_methods(facts, report).to_text()
    assert "The judgments are simulated: 4 simulated raters judged captions by an artificial quality" in said
    assert "recruited" not in said
    assert "Metrics were compared with simulated judgments under protocol custom@1" in said
