"""How captions are generated from the probabilities of words."""

from dataclasses import dataclass, fields
from math import inf
from typing import Final, Literal, Self, TypeAlias, get_args

from captioning.api.errors import CaptionerError

Method: TypeAlias = Literal["greedy", "beam", "sample", "diverse-beam"]

MOST_WORDS: Final = 1000
MOST_BEAMS: Final = 1000
# Beyond these, a softmax in single precision may lose all words but one, or all differences.
COLDEST: Final = 0.01
HOTTEST: Final = 100.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Decoding:
    """The settings of decoding; those that the method does not use have no effect.

    Attributes:
        method: `greedy` (the most probable word at each step), `beam` search, `sample`, or `diverse-beam` search
            (Vijayakumar et al. 2018).
        max_words: The maximum number of words of a caption, after which it is ended; the log-probability of that end
            counts like that of any other.
        beam_size: The number of hypotheses of `beam`, and of all groups of `diverse-beam`.
        groups: The number of groups of `diverse-beam`, which divides `beam_size`.
        diversity: The penalty of `diverse-beam` for each hypothesis of an earlier group that chose the same word at the
            same step.
        temperature: `sample` draws from the softmax of logits divided by it.
        top_k: `sample` draws from this number of most probable words; 0 for all.
        top_p: `sample` draws from the smallest set of most probable words of at least this probability (nucleus), after
            temperature and `top_k`.

    Raises:
        CaptionerError: A value is invalid; the message names it and the rule.
    """

    method: Method = "greedy"
    max_words: int = 16
    beam_size: int = 5
    groups: int = 5
    diversity: float = 0.5
    temperature: float = 1.0
    top_k: int = 0
    top_p: float = 1.0

    def __post_init__(self) -> None:
        rules: tuple[tuple[str, str, bool], ...] = (
            ("method", f"one of {', '.join(get_args(Method))}", self.method in get_args(Method)),
            ("max_words", f"from 1 to {MOST_WORDS}", 1 <= self.max_words <= MOST_WORDS),
            ("beam_size", f"from 1 to {MOST_BEAMS}", 1 <= self.beam_size <= MOST_BEAMS),
            ("groups", "at least 1", self.groups >= 1),
            ("diversity", "finite and at least 0", 0 <= self.diversity < inf),
            ("temperature", f"from {COLDEST} to {HOTTEST}", COLDEST <= self.temperature <= HOTTEST),
            ("top_k", "0 or positive", self.top_k >= 0),
            ("top_p", "above 0 and at most 1", 0 < self.top_p <= 1),
        )
        for name, rule, holds in rules:
            if not holds:
                raise CaptionerError(f"`{name}` of decoding must be {rule}, got {getattr(self, name)!r}")
        if self.method == "diverse-beam" and self.beam_size % self.groups:
            raise CaptionerError(
                f"`groups` of decoding must divide `beam_size`, got {self.groups} groups and {self.beam_size} beams"
            )

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return settings written as `METHOD,NAME=VALUE,...`, such as `sample,temperature=0.7`.

        Raises:
            CaptionerError: A name is unknown or a value is invalid.
        """
        method, *given = [part.strip() for part in text.split(",")]
        kinds: dict[str, type] = {each.name: type(each.default) for each in fields(cls) if each.name != "method"}
        values: dict[str, object] = {}
        for part in given:
            name, _, value = part.partition("=")
            if name not in kinds:
                raise CaptionerError(f"decoding has no setting {name!r} (it has: {', '.join(kinds)})")
            try:
                values[name] = kinds[name](value)
            except ValueError as error:
                raise CaptionerError(
                    f"`{name}` of decoding must be of type {kinds[name].__name__}, got {value!r}"
                ) from error
        return cls(method=method, **values)  # type: ignore[arg-type]  # checked by the class

    def __str__(self) -> str:
        """Return the text that `parse` reads, with the settings that differ from the defaults."""
        changed = [
            f"{each.name}={getattr(self, each.name)}"
            for each in fields(self)
            if each.name != "method" and getattr(self, each.name) != each.default
        ]
        return ",".join([self.method, *changed])
