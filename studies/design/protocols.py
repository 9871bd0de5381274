"""Reads names of protocols: `flickr8k-expert@1`, or the signature of any variant."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from correlation.errors import CorrelationInputError, UnknownNameError
from correlation.protocols.named import Protocol, ReferenceRule, get_protocol
from metrics_plugins.api import Level
from studies.enums import TaskKind
from studies.models import Study

CUSTOM = "custom@1"

_OF_CAPTIONS = "custom@1|rows:all|refs:all|ratings:mean|level:item|coef:pearson+spearman+kendall-c"

STARTING_PROTOCOLS: Mapping[TaskKind, str] = MappingProxyType(
    dict.fromkeys(TaskKind, _OF_CAPTIONS)
    | {
        TaskKind.PAIRWISE: "custom@1|rows:all|refs:all|ratings:majority|level:pair|coef:accuracy+pearson|ties:half",
        TaskKind.SET_RATING: "diversity@1",
    }
)
"""The default protocol of each kind of study, with every choice written out.

For single captions it uses the mean judgment of each: in a Turing test the share of raters who took it for a person's,
in best-worst scaling the counting score. Written captions are judged in a separate study.
"""


class ProtocolUnknown(CorrelationInputError):
    """A protocol or one of its options is invalid; the message says which and lists the valid ones."""


def read_protocol(text: str, *, options: Sequence[str] = ()) -> Protocol:
    """Return the named protocol, with options changed.

    Args:
        text: A name such as `pascal-50s`, a name with its version, or a complete signature such as
            `custom@1|rows:all|refs:all|ratings:mean|level:item|coef:pearson`.
        options: `OPTION=VALUE` each, as for `Protocol.with_options`; several values are joined by commas.

    Raises:
        ProtocolUnknown: The protocol, an option or a value is unknown, or a choice is missing.
    """
    name, *fields = text.split("|")
    try:
        chosen = _read_signature(fields) | dict(_read_option(option) for option in options)
        return get_protocol(name, **chosen)
    except (UnknownNameError, CorrelationInputError) as error:
        raise ProtocolUnknown(f"protocol {text}: {error}") from error


def explain_misfit(protocol: Protocol, *, kind: str) -> str:
    """Return why a protocol cannot be used for a study of this kind, "" if it can.

    For pairs, a protocol for ratings would silently compare the votes with the first captions only.
    """
    needed = "pairs" if kind == TaskKind.PAIRWISE else "ratings"
    return "" if protocol.is_pairwise == (needed == "pairs") else f"must be a protocol for {needed}"


def find_level(study: Study) -> Level:
    """Return what one score in a study is for: a caption set in studies of sets, else a candidate."""
    return Level.SET if study.kind == TaskKind.SET_RATING else Level.SEGMENT


def find_rule(study: Study) -> ReferenceRule:
    """Return the reference rule of a study's own protocol; all references if it leaves every choice open."""
    return ReferenceRule("all") if study.protocol == CUSTOM else read_protocol(study.protocol).references


def _read_signature(fields: Sequence[str]) -> dict[str, object]:
    options: dict[str, object] = {}
    measures: list[str] = []
    level = ""
    for field in fields:
        key, _, value = field.partition(":")
        if key == "level":
            level = value
        elif key == "coef":
            measures += [f"{level}:{coefficient}" for coefficient in value.split("+")]
        elif key == "refs":
            options["references"] = _read_references(value)
        else:
            options[_LONG_NAMES.get(key, key)] = value.split("+") if key in _LONG_NAMES else value
    return options | ({"measures": measures} if measures else {})


_LONG_NAMES: Mapping[str, str] = {"cat": "categories", "crit": "criteria"}


def _read_references(text: str) -> ReferenceRule:
    kind, _, rest = text.partition("-")
    if kind == "set":
        return ReferenceRule("set", name=rest)
    n_draws, _, size = rest.partition("x")
    if kind == "draw" and n_draws.isdecimal() and size.isdecimal():
        return ReferenceRule("draw", size=int(size), n_draws=int(n_draws))
    return ReferenceRule(text)


def _read_option(text: str) -> tuple[str, object]:
    name, equals, value = text.partition("=")
    if not equals:
        raise CorrelationInputError(f"an option must be written as OPTION=VALUE, got {text!r}")
    if name == "references" and value not in ("set", "draw"):
        return name, _read_references(value)
    return name, value.split(",") if name in ("measures", "categories", "criteria") else value
