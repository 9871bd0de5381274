"""Writes the methods paragraphs of a paper from the facts of a frozen report, with placeholders for the unknown."""

from dataclasses import dataclass
from typing import Any

from correlation.protocols.reading import read_protocol
from correlation.protocols.recipe import Protocol
from correlation.protocols.row import LEFT_OUT
from correlation.reports import Report
from correlation.reports.latex import escape_latex
from correlation.reports.layout import TITLES
from studies.publishing.methods.facts import Facts
from studies.publishing.methods.vocabulary import (
    AGREEMENTS,
    CORRECTIONS,
    ELIGIBILITY,
    METHODS,
    PANELS,
    PAYMENT,
    PLACEHOLDER,
    SOFTWARE,
    TASKS,
    TESTS,
    TO_FILL,
    count,
    describe_captioner,
    describe_eligibility,
    describe_protocol,
    join,
)

_OLD = "This report was frozen before methods texts were stored; freeze a new report to get one."


@dataclass(frozen=True, slots=True)
class Methods:
    """The paragraphs of the methods text."""

    paragraphs: tuple[str, ...]

    @property
    def missing(self) -> tuple[str, ...]:
        """What only a person can supply, for which the text has placeholders."""
        return tuple(PLACEHOLDER.findall(" ".join(self.paragraphs)))

    def without_placeholders(self) -> "Methods":
        """Return the text for readers, without the sentences that a person must supply."""
        return Methods(tuple(PLACEHOLDER.sub("", each) for each in self.paragraphs))

    def to_text(self) -> str:
        return "\n\n".join(self.paragraphs) + "\n"

    def to_latex(self) -> str:
        return "\n\n".join(escape_latex(paragraph) for paragraph in self.paragraphs) + "\n"


def write_methods(facts: Facts, report: Report) -> Methods:
    """Write how the judgments were collected, and how metrics were compared with them."""
    if not facts:
        return Methods((_OLD,))
    return Methods((_write_study(facts), _write_analysis(facts, report)))


def _write_study(facts: Facts) -> str:
    sentences = [
        _tell_task(facts),
        _tell_raters(facts),
        _tell_judgments(facts),
        _tell_checks(facts["design"]),
        _tell_exclusions(facts),
        _tell_agreement(facts),
    ]
    return " ".join(each for each in sentences if each)


def _tell_task(facts: Facts) -> str:
    design = facts["design"]
    if facts.get("is_computed"):
        return _tell_size(facts)
    what = f"Raters {TASKS[facts['kind']]}"
    question = f", asked “{design['question']}”" if design["question"] else ""
    scale = ""
    if design["scale"]:
        points = design["scale"]
        scale = (
            f" on a scale of {len(points)} points from {points[0]['value']:g} (“{points[0]['label']}”) "
            f"to {points[-1]['value']:g} (“{points[-1]['label']}”)"
        )
    elif design["slider"]:
        slider = design["slider"]
        scale = (
            f" on a slider from {slider['low']:g} (“{slider['low_label']}”) to {slider['high']:g} "
            f"(“{slider['high_label']}”)"
        )
    return f"{what}{scale}{question}. {_tell_size(facts)}"


def _tell_size(facts: Facts) -> str:
    captions = facts["captions"]
    least, most = captions["references_per_image"]
    return (
        f"The data set {facts['dataset']} has {count(captions['n_items'], 'item')} to judge on "
        f"{count(captions['n_images'], 'image')}, by {count(captions['n_systems'], 'system')}, "
        f"with {_name_references(least, most)} for each image."
        + "".join(f" {describe_captioner(each)}" for each in captions.get("captioners", ()))
    )


def _name_references(least: int, most: int) -> str:
    return count(most, "reference") if least == most else f"{least} to {count(most, 'reference')}"


def _tell_raters(facts: Facts) -> str:
    raters, design = facts["raters"], facts["design"]
    eligible = describe_eligibility(design)
    if facts.get("is_simulated"):
        return (
            f"The judgments are simulated: {count(raters['n'], 'simulated rater')} judged captions by an "
            "artificial quality, plus random noise; the results say nothing about the metrics."
        )
    if facts.get("is_computed"):
        source = " ".join(facts["source"].split())
        return (
            "The judgments are computed, not human: a caption is 1 if it is true of the known world of its image, and "
            f"0 if it is false, ambiguous or ungrammatical{f' ({source})' if source else ''}."
        )
    if raters["are_positions"]:
        return (
            f"The judgments were published without rater identities; {count(raters['n'], 'position')} (first "
            "judgment, second judgment, ...) are used in place of raters."
        )
    if not design["has_consent"]:
        source = f" ({' '.join(facts['source'].split())})" if facts["source"] else ""
        return f"The judgments of {count(raters['n'], 'rater')} were imported{source}. {eligible}".rstrip()
    paid = _tell_pay(design["pay"])
    joined = f" of {raters['n_joined']:,} who joined" if raters["n_joined"] > raters["n"] else ""
    who = (
        f"{count(raters['n'], 'rater')}{joined} {_be(raters['n'])} recruited {PANELS[design['panel']]} and gave their "
        "consent. "
        f"{eligible or TO_FILL.format(ELIGIBILITY)}"
    )
    withdrew = f" {count(raters['n_withdrawn'], 'rater')} withdrew." if raters["n_withdrawn"] else ""
    return f"{who} {paid}{withdrew}"


def _tell_pay(pay: Facts) -> str:
    paid = TO_FILL.format(PAYMENT)
    if pay["reward"] or pay["hourly_wage"]:
        parts = [f"{pay['reward']:.2f} {pay['currency']} for a session"] if pay["reward"] else []
        parts += [f"at least {pay['hourly_wage']:.2f} {pay['currency']} an hour"] if pay["hourly_wage"] else []
        paid = f"They were paid {join(parts)}."
    return paid


def _be(number: int) -> str:
    return "was" if number == 1 else "were"


def _tell_judgments(facts: Facts) -> str:
    found = facts["judgments"]
    least, median, most = found["per_item"]
    each = f"{least}" if least == most else f"{least} to {most} (median {median:g})"
    when = ""
    if facts["design"]["has_consent"]:
        first, last = found["first_on"], found["last_on"]
        when = f", given on {first}" if first == last else f", given between {first} and {last}"
    return f"There are {count(found['n'], 'judgment')}, {each} for each of {found['n_items']:,} items{when}."


def _tell_checks(design: Facts) -> str:
    parts = []
    if design["qualification"]:
        tried = design["qualification"]
        parts.append(
            f"Raters qualified with {100 * tried['pass_share']:g} % correct answers in at most "
            f"{count(tried['attempts'], 'attempt')}."
        )
    if design["checks"]["every"]:
        parts.append(f"A check with a known answer was shown after every {count(design['checks']['every'], 'task')}.")
    return " ".join(parts)


def _tell_exclusions(facts: Facts) -> str:
    excluded, preregistration = facts["exclusions"], facts["preregistration"]
    if facts.get("is_computed"):
        return ""
    declared = ""
    if preregistration:
        declared = (
            f" Design, exclusion rules and analysis plan were preregistered on {preregistration['frozen_on']}, before "
            f"the first judgment (SHA-256 {preregistration['sha256'][:12]})."
        )
    if facts["deviations"]:
        declared += f" Deviations from the preregistration: {'; '.join(facts['deviations'])}."
    if not excluded["n_raters"]:
        return f"No rater was excluded.{declared}"
    rules = [f"{n} by {_name_rule(rule)}" for rule, n in excluded["by_rule"].items()]
    were = count(excluded["n_raters"], "rater was", "raters were")
    return f"{were} excluded from the analysis: {join(rules)}.{declared}"


def _name_rule(rule: str) -> str:
    return "a manual decision" if rule == "by hand" else f"the rule “{rule.replace('_', ' ')}”"


def _tell_agreement(facts: Facts) -> str:
    found = facts["agreement"]
    if not found:
        return ""
    return f"Inter-rater agreement is {AGREEMENTS[found['coefficient']]} = {found['value']:.3f}."


def _write_analysis(facts: Facts, report: Report) -> str:
    protocol = read_protocol(report.protocol)
    sentences = [
        _tell_protocol(protocol, against=_name_judgments(facts)),
        _tell_metrics(report),
        _tell_interval(report),
        _tell_test(report),
        _tell_ceiling(report),
        _tell_software(facts),
    ]
    return " ".join(each for each in sentences if each)


def _name_judgments(facts: Facts) -> str:
    if facts.get("is_computed"):
        return "computed truth"
    return "simulated judgments" if facts.get("is_simulated") else "human judgments"


def _tell_protocol(protocol: Protocol, *, against: str) -> str:
    rows = " Candidates that are among the references of their image were excluded."
    return (
        f"Metrics were compared with {against} under protocol {protocol.reference}: {describe_protocol(protocol)}"
        + (rows if protocol.drop_candidates_in_references else "")
    )


def _tell_metrics(report: Report) -> str:
    missing = max((row.n_missing for row in report.rows), default=0)
    left_out = f" At most {count(missing, 'observation')} per metric were left out: {LEFT_OUT}." if missing else ""
    signatures = join([each.signature or each.id for each in report.metrics])
    return f"{count(len(report.metrics), 'metric was', 'metrics were')} compared: {signatures}.{left_out}"


def _tell_interval(report: Report) -> str:
    design = report.design
    if not design.interval:
        return ""
    times = f", {design.resamples:,} resamples" if design.method in ("percentile", "bca") else ""
    over = f" over {join(list(design.clusters))}" if design.clusters else ""
    return (
        f"Intervals of {100 * (1 - design.alpha):g} % are by {METHODS[design.method or '']}{over}{times} "
        f"(seed {design.seed})."
    )


def _tell_test(report: Report) -> str:
    design = report.design
    if not report.differences or not design.comparison:
        return ""
    times = f" with {design.comparison.n_resamples:,} resamples" if design.test != "williams" else ""
    return (
        f"Differences between metrics were tested by {TESTS[design.test or '']}{times}, two-sided, "
        f"{CORRECTIONS[design.correction]} over all pairs, at alpha {design.alpha:g}."
    )


def _tell_ceiling(report: Report) -> str:
    known = [each for each in report.ceilings if each.value is not None]
    if not known:
        return ""
    parts = [f"{each.value:.3f} in {TITLES[each.coefficient]}{_tell_place(each)} ({each.method})" for each in known]
    return f"The human ceiling is {join(parts)}."


def _tell_place(ceiling: Any) -> str:
    return f", {ceiling.category}" if ceiling.category else ""


def _tell_software(facts: Facts) -> str:
    versions = facts["software"]
    return f"Computed with {join([f'{title} {versions[name]}' for name, title in SOFTWARE.items()])}."
