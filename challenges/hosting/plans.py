"""Plans of challenges, read from TOML or JSON."""

import re
import tomllib
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Any, Final
from zoneinfo import available_timezones

from challenges.enums import BaselineKind, EntryRule, ResultsVisibility
from studies.shared.errors import ImportFailed, SourceLocation
from studies.shared.files import SourceFile
from studies.shared.schemas import Schema, read_value, rule

LATEST_YEAR: Final = 2999
_SPLIT: Final = re.compile(r"[A-Za-z0-9_-]{0,40}")
_Slug = Annotated[
    str, rule("must be lower-case letters, digits and hyphens", lambda text: _is_slug(text) and len(text) <= 40)
]
_Title = Annotated[str, rule("must have 1 to 200 characters", lambda text: 0 < len(text.strip()) <= 200)]
_Count = Annotated[int, rule("must be 1 to 10,000", lambda number: 1 <= number <= 10_000)]
_Zone = Annotated[str, rule("must be a time zone, such as Europe/Berlin", lambda text: text in available_timezones())]
# Years at the ends of the calendar cannot be shown in every time zone.
_Moment = Annotated[
    datetime,
    rule("must have a time zone, as in 2026-01-31T12:00:00Z", lambda at: at.tzinfo is not None),
    rule(f"must be in the years 2000 to {LATEST_YEAR}", lambda at: 2000 <= at.year <= LATEST_YEAR),
]
_Split = Annotated[
    str,
    rule("must be at most 40 letters, digits, - and _", lambda text: _SPLIT.fullmatch(text) is not None),
]


def _is_slug(text: str) -> bool:
    return bool(text) and text == text.lower() and text.isascii() and text.replace("-", "").isalnum()


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricPlan(Schema):
    """A metric of a phase, with the parameters that differ from their defaults."""

    metric: str
    params: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferencesPlan(Schema):
    """Named references: those of each image from the position `start` on; all of them without a `count`."""

    name: _Slug
    start: Annotated[int, rule("must be 0 to 10,000", lambda number: 0 <= number <= 10_000)] = 0
    count: _Count | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BaselinePlan(Schema):
    """A baseline of a phase.

    Files are relative to the plan: `captions` of training images for `common-caption` and `nearest-neighbour`, with
    `features` of these images and `test_features` of those of the phase (by default in the same file); `results` for
    `file`. The `seed` is that of held-out references for `human`.
    """

    kind: BaselineKind
    name: Annotated[str, rule("must have at most 60 characters", lambda text: len(text.strip()) <= 60)] = ""
    seed: Annotated[int, rule("must be 0 to 2,147,483,647", lambda number: 0 <= number < 2**31)] = 1
    captions: str = ""
    features: str = ""
    test_features: str = ""
    neighbours: _Count = 1
    results: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PhasePlan(Schema):
    """A phase; `images` are keys, by default all of the dataset. The first metric and references rank."""

    slug: _Slug
    title: _Title
    opens_at: _Moment
    closes_at: _Moment
    metrics: tuple[MetricPlan, ...]
    references: tuple[ReferencesPlan, ...]
    split: _Split = ""
    images: tuple[str, ...] = ()
    captions_per_image: _Count = 1
    time_zone: _Zone = "UTC"
    per_day: _Count = 5
    in_all: _Count = 100
    visibility: ResultsVisibility = ResultsVisibility.PARTICIPANT
    decimals: Annotated[int, rule("must be 1 to 6", lambda number: 1 <= number <= 6)] = 3
    entry_rule: EntryRule = EntryRule.BEST
    shows_intervals: bool = False
    baselines: tuple[BaselinePlan, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ChallengePlan(Schema):
    """A challenge on a dataset, with its phases."""

    slug: _Slug
    title: _Title
    dataset: str
    phases: tuple[PhasePlan, ...]
    description: str = ""
    terms: str = ""
    is_anonymous: bool = False
    team_size: _Count = 5
    most_teams: _Count = 100


def read_plan(file: SourceFile) -> ChallengePlan:
    """Read a plan.

    Raises:
        ImportFailed: The file is not TOML, or a field is unknown, missing or breaks its rule; the message names it.
    """
    try:
        data = tomllib.loads(file.decode())
    except tomllib.TOMLDecodeError as error:
        raise ImportFailed(file.name, f"must be TOML: {error}") from error
    plan: ChallengePlan = read_value(ChallengePlan, data, SourceLocation(file.name))
    return plan
