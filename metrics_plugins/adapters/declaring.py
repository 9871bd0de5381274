"""The declaration and the parameters of adapted metrics."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import Any, Final, NotRequired, TypedDict, Unpack, get_type_hints

from metrics_plugins.api import Input, Level, MetricCard, MetricInfo
from metrics_plugins.api.errors import PluginError
from metrics_plugins.api.resources import Resource
from metrics_plugins.api.signature import SignatureValue
from metrics_plugins.api.sources import locate_object

_POSITIONAL: Final = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of `build`, which is printed in signatures.

    Attributes:
        name: The keyword.
        hint: The type.
        default: The default value.
    """

    name: str
    hint: Any
    default: SignatureValue


class Declaration(TypedDict):
    """The declaration of a metric as keyword arguments of all adapters; the fields are those of `MetricInfo`."""

    id: str
    title: str
    bounds: tuple[float, float]
    higher_is_better: bool
    citation: str
    version: str
    card: NotRequired[MetricCard | None]


def declare(
    *, reads_references: bool = True, resources: tuple[str | Resource, ...] = (), **declaration: Unpack[Declaration]
) -> MetricInfo:
    """Return the declaration of a segment-level metric; raises `ValueError` as `MetricInfo` does."""
    inputs = {Input.CANDIDATE, Input.REFERENCES} if reads_references else {Input.CANDIDATE}
    return MetricInfo(level=Level.SEGMENT, inputs=frozenset(inputs), resources=resources, **declaration)


def list_options(options: Mapping[str, SignatureValue]) -> tuple[Parameter, ...]:
    """Return options as parameters, with their values as defaults and the types of these values."""
    return tuple(Parameter(name=name, hint=type(value), default=value) for name, value in options.items())


def list_keywords(function: Callable[..., object]) -> tuple[Parameter, ...]:
    """Return the keyword-only arguments of a function as parameters.

    Raises:
        PluginError: The function does not take (candidate, references), a further argument is not keyword-only, or a
            keyword-only argument lacks a type or default.
    """
    signature = inspect.signature(function)
    try:
        signature.bind("", ())
    except TypeError as error:
        raise PluginError(f"{name_callable(function)} must take (candidate, references): {error}") from error
    further = [value for value in signature.parameters.values() if value.kind in _POSITIONAL][2:]
    if further:
        place = locate_object(_find_function(function))
        raise PluginError(
            f"{name_callable(function)} has an argument {further[0].name!r} after (candidate, references) that is not "
            f"keyword-only: write `*,` before {further[0].name} to make it a parameter"
            + (f"\n  at {place}" if place else "")
        )
    keywords = [value for value in signature.parameters.values() if value.kind is value.KEYWORD_ONLY]
    hints = get_type_hints(_find_function(function)) if keywords else {}
    for keyword in keywords:
        if keyword.name not in hints or keyword.default is keyword.empty:
            raise PluginError(
                f"{name_callable(function)} must give its keyword-only argument {keyword.name!r} a type and a default, "
                f"because it becomes a parameter of the metric; got `{keyword}`"
            )
    return tuple(Parameter(keyword.name, hints[keyword.name], keyword.default) for keyword in keywords)


def resolve(source: str | Callable[..., Any]) -> Callable[..., Any]:
    """Return a class or function, which is imported if given as `package.module:Name`.

    Raises:
        PluginError: There is no such module or name.
    """
    if not isinstance(source, str):
        return source
    module, _, name = source.partition(":")
    try:
        found: Callable[..., Any] = getattr(import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise PluginError(f"{source!r} must be `package.module:Name` of something installed: {error}") from error
    return found


def name_callable(source: object) -> str:
    """Return the name of a function, class or callable object for messages."""
    return str(getattr(source, "__qualname__", None) or type(source).__qualname__)


def _find_function(function: Callable[..., object]) -> Callable[..., object]:
    if isinstance(function, partial):
        return _find_function(function.func)
    is_plain = inspect.isfunction(function) or inspect.ismethod(function)
    return function if is_plain else type(function).__call__
