"""The options of the explorer, which together with the data determine its output."""

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from correlation.errors import CorrelationInputError, UnknownNameError
from correlation.protocols.defaults import NONE, Inference
from correlation.protocols.named import CUSTOM as CUSTOM_NAME
from correlation.protocols.named import Measure, Protocol
from correlation.protocols.reading import read_protocol
from studies.analysis.preregistration.inference import choose_study_inference
from studies.design.protocols import CUSTOM, STARTING_PROTOCOLS
from studies.enums import TaskKind
from studies.models import Study
from studies.shared.schemas import adapt

RATERS_KEPT, RATERS_ALL, RATERS_CHOSEN = "kept", "all", "chosen"


@dataclass(frozen=True, slots=True)
class Slice:
    """The judgments to use; an empty field means all.

    Attributes:
        raters: `kept` (all but the excluded), `all`, or `chosen`: those in `chosen_raters`, by pseudonym.
        systems, categories: Names.
        least_words, most_words: The inclusive limits of the length of the rated caption.
        thing: A COCO category of objects that a reference of the image mentions.
    """

    raters: str = RATERS_KEPT
    chosen_raters: tuple[str, ...] = ()
    systems: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    least_words: int | None = None
    most_words: int | None = None
    thing: str = ""

    @property
    def signature(self) -> str:
        """The addition to the protocol's signature, such as `slice:words-5-8+system-a`; empty without limits."""
        parts = []
        if self.least_words is not None or self.most_words is not None:
            low, high = ("" if bound is None else bound for bound in (self.least_words, self.most_words))
            parts.append(f"words-{low}-{high}")
        parts += [f"system-{name}" for name in sorted(self.systems)]
        parts += [f"category-{name}" for name in sorted(self.categories)]
        parts += [f"object-{self.thing}"] if self.thing else []
        signed = [f"slice:{'+'.join(parts)}"] if parts else []
        if self.raters == RATERS_ALL:
            signed.append("raters:all")
        if self.raters == RATERS_CHOSEN:
            named = hashlib.sha256(repr(sorted(self.chosen_raters)).encode()).hexdigest()[:8]
            signed.append(f"raters:{len(self.chosen_raters)}-of-list-{named}")
        return "|".join(signed)


@dataclass(frozen=True, slots=True)
class Choice:
    """All options of a report in the explorer; those left empty are taken from the protocol.

    Attributes:
        protocol: A name or a signature; empty for the study's own.
        level, coefficient: Replace those of every measure of the protocol.
        aggregation, ties, rows, references: As in `Protocol.with_options`.
        slice: The judgments to use.
        has_intervals: Whether to compute intervals and test differences.
        resampled, method, resamples, test, correction: As for `choose_study_inference`.
        seed: The seed of all draws.
    """

    protocol: str = ""
    level: str = ""
    coefficient: str = ""
    aggregation: str = ""
    ties: str = ""
    rows: str = ""
    references: str = ""
    slice: Slice = Slice()
    has_intervals: bool = True
    resampled: tuple[str, ...] = ()
    method: str = ""
    resamples: int | None = None
    test: str = ""
    correction: str = ""
    seed: int = 0

    def choose_inference(
        self, study: Study, protocol: Protocol, *, n_metrics: int, plan: Mapping[str, Any] | None = None
    ) -> Inference:
        """Return the interval and the test; raises CorrelationInputError if the options contradict each other.

        `plan` is as for `choose_study_inference`.
        """
        if not self.has_intervals:
            return Inference(None, None)
        return choose_study_inference(
            study,
            protocol,
            n_metrics=n_metrics,
            method=self.method,
            resampled=self.resampled,
            # One metric has no differences.
            test=self.test if n_metrics > 1 else NONE,
            correction=self.correction,
            resamples=self.resamples,
            plan=plan,
        )

    def to_json(self) -> dict[str, Any]:
        """The choice as JSON for the payload of a job; `read_json` is the inverse."""
        return asdict(self)


def read_json(record: Mapping[str, Any]) -> Choice:
    """Return the choice that `to_json` wrote."""
    return adapt(Choice).validate_python(record)


def find_base(study: Study, text: str) -> Protocol:
    """Return the named protocol; by default the study's own, or the default of its kind.

    Raises:
        ProtocolUnknown: There is no such protocol.
    """
    name = text or study.protocol
    if name in (CUSTOM, CUSTOM_NAME):
        name = STARTING_PROTOCOLS[TaskKind(study.kind)]
    return read_protocol(name)


def change_protocol(base: Protocol, choice: Choice) -> Protocol:
    """Return the protocol with the chosen options.

    Raises:
        CorrelationInputError: The options contradict each other.
    """
    try:
        changed = base.with_options(**_list_options(base, choice))
    except UnknownNameError as error:
        raise CorrelationInputError(str(error)) from error
    if changed.is_pairwise != base.is_pairwise:
        wanted = "pairs" if base.is_pairwise else "ratings"
        raise CorrelationInputError(f"level {choice.level!r} cannot be used: {base.reference} is for {wanted}")
    return changed


def _list_options(base: Protocol, choice: Choice) -> dict[str, object]:
    options: dict[str, object] = {}
    if choice.level or choice.coefficient:
        measures = (Measure(choice.level or own.level, choice.coefficient or own.coefficient) for own in base.measures)
        options["measures"] = tuple(dict.fromkeys(measures))
    if choice.aggregation:
        options["ratings"] = choice.aggregation
    for name in ("ties", "rows", "references"):
        if getattr(choice, name):
            options[name] = getattr(choice, name)
    if options.get("references") == "draw" and base.references.kind == "draw":
        del options["references"]
    return options
