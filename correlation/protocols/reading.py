"""Reads protocols from text: a name such as `flickr8k-expert@1`, or the signature of any variant, and options."""

from collections.abc import Mapping, Sequence

from correlation.errors import CorrelationInputError, UnknownNameError
from correlation.protocols.named import get_protocol
from correlation.protocols.recipe import Protocol, ReferenceRule


class ProtocolUnknown(CorrelationInputError):
    """A protocol or one of its options is invalid; the message says which and lists the valid ones."""


def read_protocol(text: str, *, options: Sequence[str] = ()) -> Protocol:
    """Return the named protocol, with options changed.

    Parameters
    ----------
    text
        A name such as `pascal-50s`, a name with its version, or a complete signature such as
        `custom@1|rows:all|refs:all|ratings:mean|level:item|coef:pearson`.
    options
        `OPTION=VALUE` each, as for `Protocol.with_options`; several values are joined by commas.

    Raises
    ------
    ProtocolUnknown
        The protocol, an option or a value is unknown, or a choice is missing.
    """
    name, *fields = text.split("|")
    try:
        chosen = _read_signature(fields) | dict(_read_option(option) for option in options)
        return get_protocol(name, **chosen)
    except (UnknownNameError, CorrelationInputError) as error:
        raise ProtocolUnknown(f"protocol {text}: {error}") from error


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
