"""Parameters of metrics, declared once as fields; `build`, `describe` and forms are derived from them."""

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
    """Provides tokenizers and encoders by name while a metric is built."""

    def get_tokenizer(self, name: str) -> Tokenizer: ...

    def get_encoder(self, name: str) -> Encoder: ...


@dataclass(frozen=True, slots=True)
class Building:
    """The arguments from which the value of a field is made.

    Attributes:
        metric: The id of the metric being built.
        name: The name of the parameter.
        context: Provides tokenizers and encoders.
        given: All parameters, with defaults filled in.
    """

    metric: str
    name: str
    context: Providers
    given: Mapping[str, Any]


Make = Callable[[Building, Any], Any]
Show = Callable[[Any], SignatureValue | Mapping[str, SignatureValue]]


@dataclass(frozen=True, slots=True)
class Declared:
    """The declaration of a parameter by a field.

    Attributes:
        default: The default value.
        hint: The type of the argument; None for the type of the field.
        rule: What a value must be, as stated in error messages.
        holds: Whether a value satisfies the rule; None if every value does.
        make: Converts the argument to the value of the field; None if they are the same.
        label: The name in the signature; None for the name of the field.
        show: Converts the value of the field to what the signature prints; a mapping prints several names and values.
            None if `describe` handles it.
        is_constant: Whether it is printed but cannot be set.
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
    """Return a field for a plain value; its annotation is the type of the parameter.

    Args:
        default: The default value.
        rule: What a value must be, as in "at least 1".
        holds: Whether a value satisfies the rule.
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
    """Return a field whose value a function makes from the argument; the function raises an error if it is invalid.

    Args:
        default: The default value.
        make: As in `Declared`, as for the other arguments.
        hint: The type of the argument.
        label: The name in the signature.
        show: What the signature prints.
    """
    return _declare(Declared(default, hint=hint, make=make, label=label, show=show))


def constant(value: SignatureValue, *, label: str | None = None) -> Any:
    """Return a field that is printed in the signature but cannot be set."""
    return field(default=value, init=False, metadata={_KEY: Declared(value, label=label, is_constant=True)})


def tokenizer_parameter(default: str = "ptb") -> Any:
    """Return a field for a tokenizer, given by name and printed as `tok`."""
    return made_parameter(
        default,
        hint=str,
        make=lambda building, name: building.context.get_tokenizer(name),
        label="tok",
        show=lambda tokenizer: str(tokenizer.name),
    )


def name_weights(encoder: Encoder) -> str:
    """Return the name of an encoder as signatures print it."""
    return f"{encoder.name}+{encoder.digest}"


def encoder_parameter(default: str, *, make: Make = lambda building, name: building.context.get_encoder(name)) -> Any:
    """Return a field for an encoder, given by a name, a file or a folder."""
    return made_parameter(default, hint=EncoderName, make=make, show=name_weights)


def list_declared(cls: type) -> dict[str, Declared]:
    """Return the parameters declared by the fields of a class and its bases, in the order of the fields."""
    found: dict[str, Declared] = {}
    for base in reversed(cls.__mro__):
        # Before `dataclass` has processed a class, its fields are still class attributes.
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
    """Return a `build` for the parameters that a class declares, with an inspectable signature."""
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
    """Return a decorator that adds the fields of a dataclass to the parameters of a `build` taking `**chosen`.

    They follow the parameters that the function names itself.
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
    """Return a `build` whose inspectable signature has these types and defaults as keyword-only parameters."""
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
