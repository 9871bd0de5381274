"""What people said: how often each answer was given, and how well raters agree; computed by a job."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db.models import Count

from correlation.errors import CorrelationInputError
from studies.analysis.cached_results import CachedValue, StudyInputs, ValueRequest, find_cached, register_value
from studies.analysis.fingerprint import hash_facts
from studies.analysis.systems.files import write_headline
from studies.analysis.systems.ranking import rank_study
from studies.design.study_design import StudyDesign
from studies.design.study_facts import load_facts
from studies.enums import TaskKind
from studies.models import Study
from studies.monitoring.live.bars import BarChart, draw_bars
from studies.monitoring.live.snapshot import Agreement, measure_raters
from studies.shared.counted import select_counted

MOST_BARS: Final = 10
"""A scale with more values is divided into this many intervals of equal width."""

_ANSWERS: Final[Mapping[str, Mapping[float, str]]] = {
    TaskKind.PAIRWISE: {-1.0: "second caption", 0.0: "no preference", 1.0: "first caption"},
    TaskKind.TURING: {0.0: "machine", 1.0: "person"},
    TaskKind.BEST_WORST: {-1.0: "worst", 0.0: "neither", 1.0: "best"},
}
_COMPARING: Final = (TaskKind.PAIRWISE, TaskKind.BEST_WORST)
_COMPUTED: Final = {0.0: "not true", 1.0: "true"}


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer, or several neighbouring values of a long scale, and how often it was given; `share` in percent."""

    label: str
    n: int
    share: float


@dataclass(frozen=True, slots=True)
class GivenAnswers:
    """The answers of a study in the order of their values, and the agreement of its raters.

    `ranking` is the answer to which system people prefer, as a sentence without a full stop, for studies whose answers
    compare captions; empty for others, and if systems cannot be ranked.
    """

    answers: tuple[Answer, ...]
    agreement: Agreement
    ranking: str = ""

    @property
    def n(self) -> int:
        return sum(each.n for each in self.answers)

    @property
    def chart(self) -> BarChart:
        """The bar chart of the answers."""
        told = "; ".join(f"{each.label} {each.n:,} ({each.share:.0f} %)" for each in self.answers)
        text = f"Bar chart of {self.n:,} judgments: {told}."
        return draw_bars([each.n for each in self.answers], [each.label for each in self.answers], text=text)

    @property
    def headline(self) -> str:
        """The ranking, or else the most frequent answer, as a sentence without a full stop; empty without judgments."""
        if not self.n or self.ranking:
            return self.ranking
        most = max(self.answers, key=lambda each: each.n)
        return f"The most frequent judgment is “{most.label}”: {most.share:.0f} % of {self.n:,}"


def find_answers(
    study: Study, inputs: StudyInputs, *, now: datetime, wait: bool = False, is_poll: bool = False
) -> CachedValue[GivenAnswers]:
    """Return the newest available answers; arguments as for `find_cached`."""
    return find_cached(ANSWERS, _make_request(study, inputs), now=now, wait=wait, is_poll=is_poll)


def list_answers(study: Study) -> tuple[Answer, ...]:
    """Return how often each answer was given in main tasks, without excluded raters and surplus judgments."""
    counts = select_counted(study).values_list("value").annotate(n=Count("pk")).order_by("value")
    found = {float(value): n for value, n in counts if value is not None}
    return _name_answers(found, _list_labels(study, load_facts(study).design)) if found else ()


def _list_labels(study: Study, design: StudyDesign) -> Mapping[float, str]:
    """Return the labels of the values that raters can choose; empty if they are not known."""
    if study.is_computed:
        return _COMPUTED
    if design.scale:
        return {point.value: f"{point.value:g} {point.label}" for point in design.scale}
    labels = dict(_ANSWERS.get(study.kind, {}))
    if study.kind == TaskKind.PAIRWISE and not design.allows_no_preference:
        labels.pop(0.0)
    return labels


def _name_answers(counts: Mapping[float, int], labels: Mapping[float, str]) -> tuple[Answer, ...]:
    total = sum(counts.values())
    values = sorted({*counts, *labels})
    if len(values) > MOST_BARS:
        named = _divide(values, counts)
    else:
        named = [(labels.get(value, f"{value:g}"), counts.get(value, 0)) for value in values]
    return tuple(Answer(label, n, 100 * n / total) for label, n in named)


def _divide(values: Sequence[float], counts: Mapping[float, int]) -> list[tuple[str, int]]:
    low, width = values[0], (values[-1] - values[0]) / MOST_BARS
    sums = [0] * MOST_BARS
    for value in values:
        sums[min(MOST_BARS - 1, int((value - low) / width))] += counts.get(value, 0)
    return [(f"{low + place * width:.3g}\N{EN DASH}{low + (place + 1) * width:.3g}", n) for place, n in enumerate(sums)]


def _make_request(study: Study, inputs: StudyInputs) -> ValueRequest[GivenAnswers]:
    return ValueRequest(
        f"answers:{hash_facts(inputs.setting)}",
        inputs,
        make=lambda: GivenAnswers(list_answers(study), measure_raters(study), _rank(study)),
        payload={"study": study.pk},
        is_quick=False,
    )


def _rank(study: Study) -> str:
    """Return the first ranking's headline; the most frequent answer to a comparison says nothing about systems."""
    if study.kind not in _COMPARING:
        return ""
    try:
        found = rank_study(study)
    except CorrelationInputError:
        return ""
    return write_headline(found, found.main[0]) if found.main else ""


ANSWERS: Final = register_value(
    "answers",
    title="Counting answers and measuring agreement",
    request=lambda _, study: _make_request(study, StudyInputs(study)),
)
