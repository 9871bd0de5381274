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
class Declared:
    """What a field says of a parameter.

    Attributes:
        default: The value where none is given.
        hint: The type of the value that is given; None for the type of the field.
        rule: What a value must be, as an error says it.
        holds: Whether a value keeps that rule; None for any.
        make: Turns the context and the given value into the value of the field; None where they are the same.
        label: The name in the signature; None for the name of the field.
        show: Turns the value of the field into what the signature prints.
    """

    default: SignatureValue
    hint: Any = None
    rule: str = ""
    holds: Callable[[Any], bool] | None = None
    make: Callable[[Any, Any], Any] | None = None
    label: str | None = None
    show: Callable[[Any], SignatureValue] = lambda value: value


def parameter(default: SignatureValue, *, rule: str = "", holds: Callable[[Any], bool] | None = None) -> Any:
    """Return the field of a plain value, whose annotation is the parameter's type.

    Args:
        default: The value where none is given.
        rule: What a value must be, as in "at least 1".
        holds: Whether a value keeps the rule.
    """
    return _declare(Declared(default, rule=rule, holds=holds))


def tokenizer_parameter(default: str = "ptb") -> Any:
    """Return the field of a tokenizer, which a name chooses and which prints as `tok`."""
    return _declare(
        Declared(
            default,
            hint=str,
            make=lambda context, name: context.get_tokenizer(name),
            label="tok",
            show=lambda tokenizer: str(tokenizer.name),
        )
    )


def encoder_parameter(default: str, *, show: Callable[[Any], SignatureValue]) -> Any:
    """Return the field of an encoder, which a name, a file or a folder chooses."""
    return _declare(
        Declared(default, hint=EncoderName, make=lambda context, name: context.get_encoder(name), show=show)
    )


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
    shown = list_declared(type(metric))
    return {each.label or name: each.show(getattr(metric, name)) for name, each in shown.items()}


def make_build(cls: type) -> Any:
    """Return a `build` for the parameters that a class declares, which shows them to all who inspect it."""
    declared = list_declared(cls)
    hints = get_type_hints(cls, include_extras=True)

    def build(cls: Any, /, context: Providers, **given: Any) -> Any:
        values = {name: each.default for name, each in declared.items()} | given
        for name, each in declared.items():
            if each.holds and not each.holds(values[name]):
                raise MetricError(f"`{name}` of metric {cls.info.id!r} must be {each.rule}, got {values[name]!r}")
        made = {name: each.make(context, values[name]) for name, each in declared.items() if each.make}
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
