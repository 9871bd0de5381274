"""The design of a study, with all texts and settings for raters, stored as JSON in a `StudyVersion`."""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from math import inf
from typing import Annotated, Any, Final, Self

from django.conf.locale import LANG_INFO
from pydantic import BeforeValidator, Field, Strict

from correlation.planning.stopping import SPENDINGS
from correlation.protocols.recipe import PAIR_MEASURES
from studies.design.secret_fields import SECRET, list_set_secrets, name_secrets, remove_secrets
from studies.enums import PanelKind, RaterOutcome
from studies.shared.schemas import Count, Flag, Number, Schema, Text, Whole, find_part, one_of, refuse, rule

MOST_LOOKS: Final = 20
MOST_WIDTH: Final = 2.0
"""The width of the range of coefficients, from -1 to 1."""
LANGUAGES: Final[Mapping[str, str]] = {code: info["name"] for code, info in LANG_INFO.items() if "name" in info}
"""Code of a language in which captions can be written -> its English name."""
Address = Annotated[Text, rule("must begin with https:// or http://", re.compile("$|https?://").match)]
Amount = Annotated[float, Strict(), rule("must be 0 or more", lambda amount: 0 <= amount < inf)]


@dataclass(frozen=True, slots=True)
class ScalePoint(Schema):
    """One choice on a labelled scale."""

    value: Number
    label: Text


def _value_labels(given: Any) -> Any:
    """Replace labels without values by points of a scale with the values 1, 2, 3, ..."""
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
    """A scale without points: from `low` to `high` in steps, with no initial value."""

    low_label: Text
    high_label: Text
    low: Number = 0.0
    high: Number = 100.0
    step: Number = 1.0


@dataclass(frozen=True, slots=True)
class Qualification(Schema):
    """The conditions for proceeding to the main tasks.

    Attributes:
        pass_share: The minimum share of qualification items answered as expected, 0 to 1.
        attempts: The number of attempts of a rater; at least two.
    """

    pass_share: Annotated[Number, rule("must be above 0 and at most 1", lambda share: 0 < share <= 1)] = 0.8
    attempts: Annotated[Whole, rule("must be 2 or more: one attempt is not enough", lambda n: n >= 2)] = 2


@dataclass(frozen=True, slots=True)
class Checks(Schema):
    """The frequency of gold and attention tasks among the main ones.

    Attributes:
        every: The number of main tasks per check, which is placed at random among them; 0 for no checks.
    """

    every: Count = 0


@dataclass(frozen=True, slots=True)
class ExclusionRules(Schema):
    """The exclusion rules declared before the start. A rule that is None is not used; raters are excluded by:

    Attributes:
        failed_checks: More failed checks than this.
        fastest_share: A median time per item below this share of the median of all raters.
        same_answer_share: The same answer on more than this share of items (20 or more of them).
        agreement: A rank correlation (for choices: agreement) with the mean of the others below this.
        perturbed_p: A one-sided p-value of "rates intact captions above perturbed ones" above this.
    """

    failed_checks: Whole | None = None
    fastest_share: Number | None = None
    same_answer_share: Number | None = None
    agreement: Number | None = None
    perturbed_p: Number | None = None


@dataclass(frozen=True, slots=True)
class Pay(Schema):
    """The payment of raters.

    Attributes:
        currency: The ISO 4217 code, such as EUR.
        reward: The reward for one finished session.
        hourly_wage: The minimum wage per hour; lower rewards for the measured time are topped up.
        budget: The maximum cost of the entire study, including fees; 0 for no limit.
        fee_share: The fee of the panel as a share of the rewards.
    """

    currency: Text = "EUR"
    reward: Amount = 0.0
    hourly_wage: Amount = 0.0
    budget: Amount = 0.0
    fee_share: Amount = 0.0


@dataclass(frozen=True, slots=True)
class Panel(Schema):
    """The panel from which raters come, and what they return with.

    Attributes:
        kind: The panel.
        codes: The completion code by outcome; an outcome without one gets none.
        return_url: The address to which a rater returns, with `{code}` or a literal code; empty to only show the code.
        id_parameter: For a generic panel: the query parameter with the id of the person.
        session_parameter: For a generic panel: the query parameter with the id of the visit; empty if there is none.
        is_signed: Whether the panel signs the address, so that nobody else can join: Prolific by its token, a generic
            panel by an HMAC.
        signing_secret: For a generic panel that signs: the key of the HMAC.
        signature_parameter: For a generic panel that signs: the query parameter with the signature.
    """

    kind: PanelKind = PanelKind.LINK
    codes: Mapping[RaterOutcome, Text] = field(default_factory=dict, metadata=SECRET)
    return_url: Address = field(default="", metadata=SECRET)
    id_parameter: Text = "participant"
    session_parameter: Text = ""
    is_signed: Flag = False
    signing_secret: Text = field(default="", metadata=SECRET)
    signature_parameter: Text = "signature"


INTERVAL_WIDTH, SETTLED_RANKING = "interval-width", "settled-ranking"


@dataclass(frozen=True, slots=True)
class StoppingRule(Schema):
    """The condition for ending a study early, declared before the start (`studies.monitoring.stopping_rules`).

    Attributes:
        kind: `interval-width` (every metric's interval is at most `width` wide) or `settled-ranking` (every two
            metrics differ).
        measure: The coefficient to use, such as `kendall-c`; empty for the one that sorts the protocol's table.
        metrics: The ids to use, separated by commas; empty for all with scores.
        width: The maximum width of an interval, from end to end.
        looks: The number of planned looks, the last one with all judgments.
        spending: The function that spends the error over the looks: `obrien-fleming` or `pocock`.
        alpha: The two-sided level of the entire study.
        max_judgments: The number of judgments at the last look; 0 for the number planned by the design.
        closes_study: Whether a look that says stop closes the study; otherwise a person does.
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
        """The ids in order, without duplicates."""
        return tuple(dict.fromkeys(name.strip() for name in self.metrics.split(",") if name.strip()))


@dataclass(frozen=True, slots=True)
class StudyDesign(Schema):
    """All texts and settings for raters.

    Attributes:
        information: The purpose of the study, who runs it and what is stored; shown before the consent.
        instructions: Shown above each task, and complete before the first; paragraphs are separated by blank lines.
        consent: The text that raters agree to before the first task; empty if the study takes no raters (imported
            data).
        question: The one sentence asked of every item.
        scale: The choices of a rating, from lowest to highest; empty for other kinds.
        slider: A rating without points, instead of `scale`.
        allows_no_preference: Whether raters may have no preference in a pair.
        raters_per_task: The number of slots of each task.
        lease_minutes: The time for which a rater may hold a task without submitting it.
        tasks_per_rater: The maximum number of main tasks per rater; 0 for no limit.
        tasks_per_session: The number of main tasks after which a session ends with a pause; 0 for one session.
        task_seconds: The expected duration of a task, for estimates of the time left; 0 if unknown.
        may_correct: Whether a rater may go back to the last answer.
        qualification: The conditions for proceeding; None for no qualification. Its tasks are those with the role.
        checks: The frequency of gold and attention tasks.
        exclusion_rules: The rules for leaving judgments out of the analysis.
        stopping_rule: The condition for ending early; None: only when the study is complete.
        panel: The panel from which raters come.
        eligibility: Who can take part, in words: languages, countries, the panel's filters, who is left out. Raters do
            not see it; preregistrations, methods texts and datasheets state it.
        pay: The payment of raters.
        retention_days: The days after which identities that are no longer needed are erased; 0, for never, is only
            allowed for the panel `link`, which has no identities.
        debriefing: Shown at the end: the purpose of the study.
        thanks: Shown when a rater is done.
        language: The code of the language in which captions are written, such as `en` or `zh-hans`; empty: not said.
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
    eligibility: Text = ""
    pay: Pay = field(default_factory=Pay)
    retention_days: Count = 0
    debriefing: Text = ""
    thanks: Text = ""
    language: Annotated[Text, one_of(("", *LANGUAGES))] = ""

    @property
    def language_name(self) -> str:
        """The English name of `language`; empty if there is none."""
        return LANGUAGES.get(self.language, self.language)

    @property
    def first_lease_minutes(self) -> int:
        """The time for the first main task of a rater not known to a panel: a third of the usual time.

        At least ten minutes and three times the expected duration of a task, and at most `lease_minutes`.
        """
        needed = max(10, -(-self.lease_minutes // 3), -(-3 * self.task_seconds // 60))
        return min(self.lease_minutes, needed)

    def to_json(self) -> dict[str, Any]:
        """Return all fields, only for `StudyVersion.design`; all other output has no secrets."""
        return asdict(self)

    def to_public_json(self) -> dict[str, Any]:
        """Return the fields that are not secret, for exports, bundles, preregistrations and the API."""
        return dict(remove_secrets(self))

    def without_secrets(self) -> Self:
        """Return the design with each secret field at its default."""
        return self.from_json(self.to_public_json())

    def list_secrets(self) -> dict[str, Any]:
        """Return path -> value of the secret fields that are not empty, such as `panel.codes.finished`."""
        return list_set_secrets(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Return the design stored in `StudyVersion.design`; fields missing in older versions get their defaults."""
        given = [name for name in DESIGN_PARTS if data.get(name) is not None]
        parts = {name: _read_part(DESIGN_PARTS[name], data[name]) for name in given}
        scale = tuple(ScalePoint(**point) for point in data.get("scale", ()))
        return cls(**{**data, **parts, "scale": scale})


def _read_part(part: type, data: Mapping[str, Any]) -> Any:
    """Return a part of a design; fields removed since are ignored."""
    known = {field.name for field in fields(part)}
    return part(**{name: value for name, value in data.items() if name in known})


DESIGN_PARTS: Final[Mapping[str, type]] = {
    each.name: part
    for each in fields(StudyDesign)
    if each.name != "scale" and (part := find_part(StudyDesign, each.name))
}
"""Field of a design that is an object -> its class."""


def keep_secrets(changes: Mapping[str, Any], *, known: StudyDesign) -> dict[str, Any]:
    """Return changes of a design in which parts have the secrets of the known design unless given.

    This lets a client read a design without its secrets and send back a part of it.
    """
    kept = dict(changes)
    for name, part in DESIGN_PARTS.items():
        before = getattr(known, name)
        if before is not None and isinstance(changes.get(name), Mapping):
            kept[name] = {secret: getattr(before, secret) for secret in name_secrets(part)} | dict(changes[name])
    return kept
