"""The design of a study as a value: what raters are told and asked, kept as JSON in a `StudyVersion`."""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from math import inf
from typing import Annotated, Any, Final, Self

from pydantic import BeforeValidator, Field, Strict

from correlation.planning.stopping import SPENDINGS
from correlation.protocols.recipe import PAIR_MEASURES
from studies.design.secret_fields import SECRET, list_set_secrets, name_secrets, remove_secrets
from studies.enums import PanelKind, RaterOutcome
from studies.shared.schemas import Count, Flag, Number, Schema, Text, Whole, find_part, one_of, refuse, rule

MOST_LOOKS: Final = 20
MOST_WIDTH: Final = 2.0
"""Coefficients lie between -1 and 1."""
Address = Annotated[Text, rule("must begin with https:// or http://", re.compile("$|https?://").match)]
Amount = Annotated[float, Strict(), rule("must be 0 or more", lambda amount: 0 <= amount < inf)]


@dataclass(frozen=True, slots=True)
class ScalePoint(Schema):
    """One choice on a labelled scale."""

    value: Number
    label: Text


def _value_labels(given: Any) -> Any:
    """Return points of a scale for a list in which labels stand by themselves, and are valued 1, 2, 3, ..."""
    if isinstance(given, tuple):
        return given
    if not isinstance(given, list) or len(given) < 2:
        return refuse("must be a list of two labels or more, or of tables with value and label")
    return [{"value": n, "label": one} if isinstance(one, str) else one for n, one in enumerate(given, start=1)]


def _rises(scale: tuple[ScalePoint, ...]) -> bool:
    values = [point.value for point in scale]
    return values == sorted(set(values))


Scale = Annotated[
    tuple[ScalePoint, ...],
    rule("must rise from the lowest value to the highest", _rises),
    BeforeValidator(_value_labels, json_schema_input_type=list[ScalePoint | str]),
]


@dataclass(frozen=True, slots=True)
class Slider(Schema):
    """A scale without points: from `low` to `high` in steps, nothing selected beforehand."""

    low_label: Text
    high_label: Text
    low: Number = 0.0
    high: Number = 100.0
    step: Number = 1.0


@dataclass(frozen=True, slots=True)
class Qualification(Schema):
    """Who may go on to the main tasks.

    Attributes:
        pass_share: The least share of qualification items answered as expected, 0 to 1.
        attempts: How often a rater may try; never fewer than two.
    """

    pass_share: Annotated[Number, rule("must be above 0 and at most 1", lambda share: 0 < share <= 1)] = 0.8
    attempts: Annotated[Whole, rule("must be 2 or more: one attempt is not enough", lambda n: n >= 2)] = 2


@dataclass(frozen=True, slots=True)
class Checks(Schema):
    """How gold and attention tasks are mixed into the main ones.

    Attributes:
        every: A check comes after this many main tasks, at a position drawn at random among them; 0 for none.
    """

    every: Count = 0


@dataclass(frozen=True, slots=True)
class ExclusionRules(Schema):
    """Declared before the start: whose judgments the analysis leaves out. None: the rule is not used.

    Attributes:
        failed_checks: More failed checks than this.
        fastest_share: Median time on an item below this share of the median of all raters.
        same_answer_share: The same answer on more than this share of items (20 or more of them).
        agreement: Rank correlation (for choices: agreement) with the mean of the others below this.
        perturbed_p: One-sided p-value of "rates intact captions above perturbed ones" above this.
    """

    failed_checks: Whole | None = None
    fastest_share: Number | None = None
    same_answer_share: Number | None = None
    agreement: Number | None = None
    perturbed_p: Number | None = None


@dataclass(frozen=True, slots=True)
class Pay(Schema):
    """What raters earn.

    Attributes:
        currency: ISO 4217, as in EUR.
        reward: For one finished session.
        hourly_wage: What an hour must come to; what is missing by the measured time is topped up.
        budget: What the whole study may cost, fees included; 0 for no limit.
        fee_share: What the panel takes on top of rewards, as a share of them.
    """

    currency: Text = "EUR"
    reward: Amount = 0.0
    hourly_wage: Amount = 0.0
    budget: Amount = 0.0
    fee_share: Amount = 0.0


@dataclass(frozen=True, slots=True)
class Panel(Schema):
    """Where raters come from and what they take back.

    Attributes:
        kind: The panel.
        codes: Completion code by outcome; an outcome without one gets none.
        return_url: Where a rater goes with the code, `{code}` in it or written out; empty for showing the code only.
        id_parameter: Of a generic panel: the name of the address's parameter that says who it is.
        session_parameter: Of a generic panel: the parameter that says which visit it is; empty if there is none.
        is_signed: Whether the panel signs the address, so that nobody else is taken in: Prolific by its token, a
            generic panel by an HMAC.
        signing_secret: Of a generic panel that signs: what it signs with.
        signature_parameter: Of a generic panel that signs: the parameter that holds the signature.
    """

    kind: PanelKind = PanelKind.LINK
    codes: Mapping[RaterOutcome, Text] = field(default_factory=dict, metadata=SECRET)
    return_url: Address = field(default="", metadata=SECRET)
    id_parameter: Text = "participant"
    session_parameter: Text = ""
    is_signed: Flag = False
    signing_secret: Text = field(default="", metadata=SECRET)
    signature_parameter: Text = "signature"

    def find_code(self, outcome: str) -> str:
        """Return the code that a rater with this outcome takes back; empty if there is none."""
        return self.codes.get(RaterOutcome(outcome)) or self.codes.get(_STANDS_IN.get(outcome, outcome), "")


_STANDS_IN: Final[Mapping[str, RaterOutcome]] = {RaterOutcome.CUT_SHORT: RaterOutcome.LEFT}
"""Outcome -> whose code serves where it has none of its own: both mean work to be looked at and paid by what it is."""

INTERVAL_WIDTH, SETTLED_RANKING = "interval-width", "settled-ranking"


@dataclass(frozen=True, slots=True)
class StoppingRule(Schema):
    """When a study may end before it is complete, declared before the start (`studies.monitoring.stopping`).

    Attributes:
        kind: `interval-width` (every metric's interval is at most `width` wide) or `settled-ranking` (every two
            metrics differ).
        measure: The coefficient that counts, such as `kendall-c`; empty for the one that orders the protocol's table.
        metrics: Ids that count, apart by commas; empty for all with scores.
        width: Of an interval, from end to end.
        looks: How often the judgments may be looked at, the last time when all are there.
        spending: How the error is spent over the looks: `obrien-fleming` or `pocock`.
        alpha: The two-sided level of the whole study.
        max_judgments: How many judgments are all; 0 for as many as the design plans.
        closes_study: Whether a look that says stop closes the study; else a person does.
    """

    kind: Annotated[Text, one_of((INTERVAL_WIDTH, SETTLED_RANKING))] = INTERVAL_WIDTH
    measure: Annotated[Text, one_of(("", *PAIR_MEASURES))] = ""
    metrics: Text = ""
    width: Annotated[
        Number, rule(f"must be above 0 and at most {MOST_WIDTH}", lambda width: 0 < width <= MOST_WIDTH)
    ] = 0.1
    looks: Annotated[Whole, rule(f"must be from 1 to {MOST_LOOKS}", lambda n: 1 <= n <= MOST_LOOKS)] = 4
    spending: Annotated[Text, one_of(SPENDINGS)] = "obrien-fleming"
    alpha: Annotated[Number, rule("must be above 0 and below 1", lambda level: 0 < level < 1)] = 0.05
    max_judgments: Count = 0
    closes_study: Flag = False

    @property
    def metric_ids(self) -> tuple[str, ...]:
        """The ids in their order, each once."""
        return tuple(dict.fromkeys(name.strip() for name in self.metrics.split(",") if name.strip()))


@dataclass(frozen=True, slots=True)
class StudyDesign(Schema):
    """What raters are told and asked.

    Attributes:
        information: What the study is about, who runs it and what is kept, shown before the consent.
        instructions: Shown above each task, and whole before the first; paragraphs apart by blank lines.
        consent: What a rater agrees to before the first task; empty if the study takes no raters (imported data).
        question: The one sentence asked of every item.
        scale: The choices of a rating, from lowest to highest; empty for other kinds.
        slider: A rating without points, in place of `scale`.
        allows_no_preference: Whether a pairwise choice may be left undecided.
        raters_per_task: How many slots each task gets.
        lease_minutes: How long a rater may keep a task without submitting it.
        tasks_per_rater: The most main tasks that one rater may do; 0 for no limit.
        tasks_per_session: After this many main tasks a session ends with a pause; 0 for one session.
        task_seconds: What a task is expected to take, for the time left; 0 if nobody knows.
        may_correct: Whether a rater may go back to the last answer.
        qualification: Who may go on; None for everybody. Its tasks are those with the role.
        checks: How gold and attention tasks are mixed in.
        exclusion_rules: Whose judgments the analysis leaves out.
        stopping_rule: When the study may end early; None: when it is complete.
        panel: Where raters come from.
        pay: What they earn.
        retention_days: After this many days without it being needed, identities are forgotten; 0, for never, is for
            the panel `link` alone, by which nobody is known.
        debriefing: Told at the end: what the study was for.
        thanks: Shown when a rater is done.
    """

    information: Text = ""
    instructions: Text = ""
    consent: Text = ""
    question: Text = ""
    scale: Scale = field(default=())
    slider: Slider | None = None
    allows_no_preference: Flag = False
    raters_per_task: Annotated[Count, Field(ge=1)] = 1
    lease_minutes: Annotated[Count, Field(ge=1)] = 30
    tasks_per_rater: Count = 0
    tasks_per_session: Count = 0
    task_seconds: Count = 0
    may_correct: Flag = True
    qualification: Qualification | None = None
    checks: Checks = field(default_factory=Checks)
    exclusion_rules: ExclusionRules = field(default_factory=ExclusionRules)
    stopping_rule: StoppingRule | None = None
    panel: Panel = field(default_factory=Panel)
    pay: Pay = field(default_factory=Pay)
    retention_days: Count = 0
    debriefing: Text = ""
    thanks: Text = ""

    @property
    def first_lease_minutes(self) -> int:
        """How long a rater whom nobody vouches for may keep the first main task: a third of the time of others.

        Never below ten minutes, nor below three times what a task is expected to take, nor above `lease_minutes`.
        """
        needed = max(10, -(-self.lease_minutes // 3), -(-3 * self.task_seconds // 60))
        return min(self.lease_minutes, needed)

    def to_json(self) -> dict[str, Any]:
        """Return all fields, for `StudyVersion.design` alone: whatever else is told of a design has no secrets."""
        return asdict(self)

    def to_public_json(self) -> dict[str, Any]:
        """Return the fields that are not secret: those of exports, bundles, preregistrations and the API."""
        return dict(remove_secrets(self))

    def without_secrets(self) -> Self:
        """Return the design as `to_public_json` tells it; each secret field has its default."""
        return self.from_json(self.to_public_json())

    def list_secrets(self) -> dict[str, Any]:
        """Return path -> value of the secret fields that are not empty, such as `panel.codes.finished`."""
        return list_set_secrets(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Return the design kept in `StudyVersion.design`; what an older version did not know keeps its default."""
        given = [name for name in DESIGN_PARTS if data.get(name) is not None]
        parts = {name: _read_part(DESIGN_PARTS[name], data[name]) for name in given}
        scale = tuple(ScalePoint(**point) for point in data.get("scale", ()))
        return cls(**{**data, **parts, "scale": scale})


def _read_part(part: type, data: Mapping[str, Any]) -> Any:
    """Return a part of a design; a field that later versions dropped is passed over."""
    known = {field.name for field in fields(part)}
    return part(**{name: value for name, value in data.items() if name in known})


DESIGN_PARTS: Final[Mapping[str, type]] = {
    each.name: part
    for each in fields(StudyDesign)
    if each.name != "scale" and (part := find_part(StudyDesign, each.name))
}
"""Field of a design that is an object -> its class."""


def keep_secrets(changes: Mapping[str, Any], *, known: StudyDesign) -> dict[str, Any]:
    """Return changes of a design in which a part has the secrets of the known one where it says nothing of them.

    Who reads a design without its secrets and sends a part of it back leaves them as they are.
    """
    kept = dict(changes)
    for name, part in DESIGN_PARTS.items():
        before = getattr(known, name)
        if before is not None and isinstance(changes.get(name), Mapping):
            kept[name] = {secret: getattr(before, secret) for secret in name_secrets(part)} | dict(changes[name])
    return kept
