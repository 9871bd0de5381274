"""Parameters of metrics, each stated once as a field: `build`, `describe` and forms follow from it."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import Field, dataclass, field, fields
from typing import Any, Final, Protocol, TypeVar, get_type_hints

from metrics_plugins.api.errors import MetricError
from metrics_plugins.api.paths import EncoderName
from metrics_plugins.api.providers import Encoder, Tokenizer
from metrics_plugins.api.signature import SignatureValue

_KEY: Final = "accordance.parameter"
_Build = TypeVar("_Build", bound=Callable[..., Any])


class Providers(Protocol):
    """What makes tokenizers and encoders of their names while a metric is built."""

    def get_tokenizer(self, name: str) -> Tokenizer: ...

    def get_encoder(self, name: str) -> Encoder: ...


@dataclass(frozen=True, slots=True)
class Building:
    """What the value of a field may be made of.

    Attributes:
        metric: The id of the metric that is built.
        name: The name of the parameter.
        context: Makes tokenizers and encoders.
        given: All parameters, as given or by default.
    """

    metric: str
    name: str
    context: Providers
    given: Mapping[str, Any]


Make = Callable[[Building, Any], Any]
Show = Callable[[Any], SignatureValue | Mapping[str, SignatureValue]]


@dataclass(frozen=True, slots=True)
class Declared:
    """What a field says of a parameter.

    Attributes:
        default: The value where none is given.
        hint: The type of the value that is given; None for the type of the field.
        rule: What a value must be, as an error says it.
        holds: Whether a value keeps that rule; None for any.
        make: Turns the given value into the value of the field; None where they are the same.
        label: The name in the signature; None for the name of the field.
        show: Turns the value of the field into what the signature prints; several names and values are a mapping.
            None where `describe` prints it in its own way.
        is_constant: Whether it prints, but is no parameter.
    """

    default: SignatureValue | None
    hint: Any = None
    rule: str = ""
    holds: Callable[[Any], bool] | None = None
    make: Make | None = None
    label: str | None = None
    show: Show | None = lambda value: value
    is_constant: bool = False


def parameter(default: SignatureValue, *, rule: str = "", holds: Callable[[Any], bool] | None = None) -> Any:
    """Return the field of a plain value, whose annotation is the parameter's type.

    Args:
        default: The value where none is given.
        rule: What a value must be, as in "at least 1".
        holds: Whether a value keeps the rule.
    """
    return _declare(Declared(default, rule=rule, holds=holds))


def made_parameter(
    default: SignatureValue | None,
    *,
    make: Make,
    hint: Any = None,
    label: str | None = None,
    show: Show | None = lambda value: value,
) -> Any:
    """Return the field of what a function makes of the given value; the function refuses what it cannot use.

    Args:
        default: The value where none is given.
        make: As in `Declared`, as are the others.
        hint: The type of the value that is given.
        label: The name in the signature.
        show: What the signature prints.
    """
    return _declare(Declared(default, hint=hint, make=make, label=label, show=show))


def constant(value: SignatureValue, *, label: str | None = None) -> Any:
    """Return the field of what the signature prints and nobody can set."""
    return field(default=value, init=False, metadata={_KEY: Declared(value, label=label, is_constant=True)})


def tokenizer_parameter(default: str = "ptb") -> Any:
    """Return the field of a tokenizer, which a name chooses and which prints as `tok`."""
    return made_parameter(
        default,
        hint=str,
        make=lambda building, name: building.context.get_tokenizer(name),
        label="tok",
        show=lambda tokenizer: str(tokenizer.name),
    )


def name_weights(encoder: Encoder) -> str:
    """Return an encoder as signatures print it."""
    return f"{encoder.name}+{encoder.digest}"


def encoder_parameter(default: str, *, make: Make = lambda building, name: building.context.get_encoder(name)) -> Any:
    """Return the field of an encoder, which a name, a file or a folder chooses."""
    return made_parameter(default, hint=EncoderName, make=make, show=name_weights)


def list_declared(cls: type) -> dict[str, Declared]:
    """Return the parameters that the fields of a class and of its bases declare, in the order of the fields."""
    found: dict[str, Declared] = {}
    for base in reversed(cls.__mro__):
        # A class that `dataclass` has not seen yet still has its fields as attributes.
        stated = vars(base).get("__dataclass_fields__") or vars(base)
        found |= {name: each.metadata[_KEY] for name, each in stated.items() if _is_declared(each)}
    return found


def describe_declared(metric: object) -> dict[str, SignatureValue]:
    """Return the values of the declared parameters as a signature prints them."""
    described: dict[str, SignatureValue] = {}
    for name, each in list_declared(type(metric)).items():
        if each.show:
            shown = each.show(getattr(metric, name))
            described |= shown if isinstance(shown, Mapping) else {each.label or name: shown}
    return described


def make_build(cls: type) -> Any:
    """Return a `build` for the parameters that a class declares, which shows them to all who inspect it."""
    declared = {name: each for name, each in list_declared(cls).items() if not each.is_constant}
    hints = get_type_hints(cls, include_extras=True)

    def build(cls: Any, /, context: Providers, **given: Any) -> Any:
        values = {name: each.default for name, each in declared.items()} | given
        for name, each in declared.items():
            if each.holds and not each.holds(values[name]):
                raise MetricError(f"`{name}` of metric {cls.info.id!r} must be {each.rule}, got {values[name]!r}")
        made = {
            name: each.make(Building(cls.info.id, name, context, values), values[name])
            for name, each in declared.items()
            if each.make
        }
        return cls(**values | made)

    types = {name: each.hint or hints[name] for name, each in declared.items()}
    build.__doc__ = "Return the metric with these parameters."
    return classmethod(show_parameters(build, {name: (types[name], each.default) for name, each in declared.items()}))


def add_settings(settings: type) -> Callable[[_Build], _Build]:
    """Return a decorator of a `build` that takes `**chosen`: the fields of a dataclass become its parameters.

    They stand behind the parameters that the function names itself.
    """

    def decorate(build: _Build) -> _Build:
        own = [each for each in inspect.signature(build).parameters.values() if each.kind is each.KEYWORD_ONLY]
        hints = get_type_hints(settings, include_extras=True)
        shown = {each.name: (each.annotation, each.default) for each in own}
        return show_parameters(
            build, shown | {each.name: (hints[each.name], each.default) for each in fields(settings)}
        )

    return decorate


def show_parameters(build: _Build, parameters: Mapping[str, tuple[Any, object]]) -> _Build:
    """Return a `build` that shows these types and defaults, as keyword-only parameters, to all who inspect it."""
    first = [inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD) for name in ("cls", "context")]
    shown = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=hint)
        for name, (hint, default) in parameters.items()
    ]
    vars(build)["__signature__"] = inspect.Signature([*first, *shown])
    build.__annotations__ = {name: hint for name, (hint, _) in parameters.items()}
    return build


def _declare(declared: Declared) -> Any:
    return field(metadata={_KEY: declared})


def _is_declared(value: object) -> bool:
    return isinstance(value, Field) and _KEY in value.metadata
