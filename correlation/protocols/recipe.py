"""The definition of a protocol: a frozen value with every choice between data and result."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from correlation.coefficients.accuracy import TIE_CREDITS
from correlation.coefficients.bivariate import ALL_COEFFICIENTS, COEFFICIENTS
from correlation.correlate import LEVELS
from correlation.errors import CorrelationInputError, check_name
from correlation.protocols.aggregation import AGGREGATIONS

REFERENCE_KINDS = ("all", "exclude-candidate-per-row", "exclude-candidates-per-image", "set", "draw")
# How the judgments of one item become its target.
RATING_TARGETS = ("each", "share-of-yes", *AGGREGATIONS)
PAIR_TARGETS = ("majority",)
ROW_RULES: Mapping[str, bool] = MappingProxyType({"all": False, "drop-own-references": True})
# At level `pair`, accuracy compares with the majority; a coefficient correlates the mean vote (+1 first caption, -1
# second) with the difference of the two scores.
PAIR_MEASURES = ("accuracy", *COEFFICIENTS)


@dataclass(frozen=True, slots=True)
class ReferenceRule:
    """Which references a metric sees.

    `all`: every reference of the image. `exclude-candidate-per-row`: without the caption that is judged in the row; the
    image's other candidates keep it. `exclude-candidates-per-image`: without any caption that is a candidate for the
    image, for all of its candidates. `set`: the references that the data give each candidate, under this name.
    `draw`: `size` references drawn at random, `n_draws` times; the value is the mean over draws.
    """

    kind: str
    name: str | None = None
    size: int | None = None
    n_draws: int | None = None

    def __post_init__(self) -> None:
        check_name("reference rule", self.kind, REFERENCE_KINDS)
        if (self.kind == "set") != (self.name is not None):
            raise CorrelationInputError(f"`name` belongs to kind 'set', got {self.kind!r} with name {self.name!r}")
        drawn = (self.size is not None, self.n_draws is not None)
        if drawn != ((self.kind == "draw"),) * 2:
            raise CorrelationInputError(
                f"`size` and `n_draws` belong to kind 'draw', got {self.kind!r} with {self.size} and {self.n_draws}"
            )
        for name, count in (("size", self.size), ("n_draws", self.n_draws)):
            if count is not None and count < 1:
                raise CorrelationInputError(f"`{name}` must be at least 1, got {count}")

    @property
    def signature(self) -> str:
        """The printed form: `all`, `exclude-candidate-per-row`, `set-shipped`, `draw-5x5` (five draws of five)."""
        if self.kind == "set":
            return f"set-{self.name}"
        return f"draw-{self.n_draws}x{self.size}" if self.kind == "draw" else self.kind


@dataclass(frozen=True, slots=True)
class Measure:
    """One number to compute: a coefficient at a level (`item`, `group`, `system`, `global`, `pair`)."""

    level: str
    coefficient: str

    def __post_init__(self) -> None:
        known = PAIR_MEASURES if self.level == "pair" else tuple(ALL_COEFFICIENTS)
        check_name("level", self.level, (*LEVELS, "pair"))
        check_name(f"coefficient at level {self.level!r}", self.coefficient, known)

    @classmethod
    def parse(cls, text: str) -> "Measure":
        """Parse `level:coefficient`, such as `item:kendall-c`."""
        level, colon, coefficient = text.partition(":")
        if not colon:
            raise CorrelationInputError(f"a measure is written level:coefficient, got {text!r}")
        return cls(level, coefficient)


@dataclass(frozen=True, slots=True)
class Protocol:
    """The definition of how results are computed from judgments and scores.

    Attributes
    ----------
    name, version, source
        Name, version and publication.
    drop_candidates_in_references
        Whether to drop rows whose candidate is one of the image's own references.
    references
        The references that metrics see.
    ratings
        `each`: every judgment is an observation; `share-of-yes`: the mean of an item's 0/1 judgments; or a rule of
        `aggregate_judgments` such as `mean`. For pairs, `majority`: the caption with most votes.
    measures
        The numbers to compute, in the order of the rows.
    ties
        The credit for equal scores of a pair, a name in `TIE_CREDITS`; None without pairs.
    categories
        Categories of items to report separately, before their mean; if `total` is among them, the number over all their
        items together replaces the mean.
    criteria
        Criteria of the judgments, if a study has several (COCO's M1 ... M5); one row each. Not beside categories.
    """

    name: str
    source: str
    references: ReferenceRule
    ratings: str
    measures: tuple[Measure, ...]
    version: int = 1
    drop_candidates_in_references: bool = False
    ties: str | None = None
    categories: tuple[str, ...] = ()
    criteria: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.measures:
            raise CorrelationInputError("`measures` must name at least one level:coefficient, got none")
        if len({m.level == "pair" for m in self.measures}) > 1:
            raise CorrelationInputError("`measures` mix level 'pair' with others, a study has pairs or ratings")
        targets = PAIR_TARGETS if self.is_pairwise else RATING_TARGETS
        check_name("rule `ratings`", self.ratings, targets)
        if self.is_pairwise:
            check_name("tie rule", self.ties, TIE_CREDITS)
        elif self.ties is not None:
            raise CorrelationInputError(f"`ties` belong to pairs, {self.name} has ratings")
        elif self.categories and self.criteria:
            raise CorrelationInputError(f"{self.name} has `categories` and `criteria`: choose one of them")

    @property
    def is_pairwise(self) -> bool:
        return self.measures[0].level == "pair"

    @property
    def reference(self) -> str:
        """Name and version, as accepted by `get_protocol`: `flickr8k-expert@1`."""
        return f"{self.name}@{self.version}"

    @property
    def signature(self) -> str:
        """Name, version and every choice, to print under a table.

        >>> from correlation.protocols.named import get_protocol
        >>> get_protocol("flickr8k-expert").signature
        'flickr8k-expert@1|rows:drop-own-references|refs:all|ratings:each|level:item|coef:kendall-c'
        """
        rows = next(rule for rule, drops in ROW_RULES.items() if drops == self.drop_candidates_in_references)
        parts = [self.reference, f"rows:{rows}", f"refs:{self.references.signature}", f"ratings:{self.ratings}"]
        for level in dict.fromkeys(measure.level for measure in self.measures):
            names = "+".join(m.coefficient for m in self.measures if m.level == level)
            parts += [f"level:{level}", f"coef:{names}"]
        parts += [f"ties:{self.ties}"] if self.ties else []
        parts += [f"cat:{'+'.join(self.categories)}"] if self.categories else []
        parts += [f"crit:{'+'.join(self.criteria)}"] if self.criteria else []
        return "|".join(parts)

    def with_options(self, **options: object) -> "Protocol":
        """Return a variant with other choices, which its signature shows.

        Options
        -------
        rows : `all` or `drop-own-references`
        references : a `ReferenceRule`, or a kind of one; `set` is the set `shipped`, `draw` five draws of 5
        ratings : as the attribute
        measures : `Measure` values or texts such as `item:kendall-b`
        ties, categories, criteria : as the attributes

        >>> from correlation.protocols.named import get_protocol
        >>> get_protocol("pascal-50s").with_options(ties="half", references="draw").signature
        'pascal-50s@1|rows:all|refs:draw-5x5|ratings:majority|level:pair|coef:accuracy|ties:half|cat:HC+HI+HM+MM'
        """
        return replace(self, **read_options(self.name, options))


REFERENCE_RULES: Mapping[str, ReferenceRule] = MappingProxyType(
    {
        "all": ReferenceRule("all"),
        "exclude-candidate-per-row": ReferenceRule("exclude-candidate-per-row"),
        "exclude-candidates-per-image": ReferenceRule("exclude-candidates-per-image"),
        "set": ReferenceRule("set", name="shipped"),
        "draw": ReferenceRule("draw", size=5, n_draws=5),
    }
)


def read_options(owner: str, options: Mapping[str, object]) -> dict[str, Any]:
    """Convert user-facing options to attributes of a `Protocol`; `owner` names the protocol in errors."""
    attributes: dict[str, Any] = {}
    for option, value in options.items():
        check_name(f"option of protocol {owner}", option, OPTIONS)
        attribute, read = OPTIONS[option]
        attributes[attribute] = read(value)
    return attributes


def _read_rows(value: object) -> bool:
    check_name("rule `rows`", value, ROW_RULES)
    return ROW_RULES[str(value)]


def _read_references(value: object) -> ReferenceRule:
    if isinstance(value, ReferenceRule):
        return value
    check_name("reference rule", value, REFERENCE_RULES)
    return REFERENCE_RULES[str(value)]


def _read_measures(value: object) -> tuple[Measure, ...]:
    return tuple(m if isinstance(m, Measure) else Measure.parse(str(m)) for m in _read_tuple(value))


def _read_tuple(value: object) -> tuple[object, ...]:
    return tuple(value) if isinstance(value, (tuple, list)) else (value,)


def _read_names(value: object) -> tuple[str, ...]:
    return tuple(str(name) for name in _read_tuple(value))


def _read_name(value: object) -> str | None:
    return None if value is None else str(value)


# User-facing option -> attribute of `Protocol`, and the function that reads its value.
OPTIONS: Mapping[str, tuple[str, Callable[[object], Any]]] = MappingProxyType(
    {
        "rows": ("drop_candidates_in_references", _read_rows),
        "references": ("references", _read_references),
        "ratings": ("ratings", _read_name),
        "measures": ("measures", _read_measures),
        "ties": ("ties", _read_name),
        "categories": ("categories", _read_names),
        "criteria": ("criteria", _read_names),
    }
)
