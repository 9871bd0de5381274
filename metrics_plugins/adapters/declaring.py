"""The declaration and the parameters that all adapted metrics have."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import Any, get_type_hints

from metrics_plugins.api import Input, Level, MetricInfo
from metrics_plugins.api.errors import PluginError
from metrics_plugins.api.signature import SignatureValue


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter that `build` takes and the signature prints.

    Attributes:
        name: As a keyword.
        hint: Its type.
        default: Its value where none is given.
    """

    name: str
    hint: Any
    default: SignatureValue


def declare(
    *,
    id: str,  # noqa: A002  (the name that MetricInfo has for it)
    title: str,
    bounds: tuple[float, float],
    higher_is_better: bool,
    citation: str,
    version: str,
    reads_references: bool = True,
    resources: tuple[str, ...] = (),
) -> MetricInfo:
    """Return the declaration of a segment-level metric; raises `ValueError` as `MetricInfo` does."""
    inputs = {Input.CANDIDATE, Input.REFERENCES} if reads_references else {Input.CANDIDATE}
    return MetricInfo(
        id=id,
        title=title,
        level=Level.SEGMENT,
        inputs=frozenset(inputs),
        higher_is_better=higher_is_better,
        bounds=bounds,
        version=version,
        citation=citation,
        resources=resources,
    )


def list_options(options: Mapping[str, SignatureValue]) -> tuple[Parameter, ...]:
    """Return options with their values as parameters, whose defaults and types these values give."""
    return tuple(Parameter(name=name, hint=type(value), default=value) for name, value in options.items())


def list_keywords(function: Callable[..., object]) -> tuple[Parameter, ...]:
    """Return the keyword-only arguments of a function as parameters.

    Raises:
        PluginError: The function does not take (candidate, references), or such an argument lacks a type or default.
    """
    signature = inspect.signature(function)
    try:
        signature.bind("", ())
    except TypeError as error:
        raise PluginError(f"{name_callable(function)} must take (candidate, references): {error}") from error
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
    """Return a class or function, imported if it is named as `package.module:Name`.

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
    """Return how a message calls a function, class or callable object."""
    return str(getattr(source, "__qualname__", None) or type(source).__qualname__)


def _find_function(function: Callable[..., object]) -> Callable[..., object]:
    if isinstance(function, partial):
        return _find_function(function.func)
    is_plain = inspect.isfunction(function) or inspect.ismethod(function)
    return function if is_plain else type(function).__call__
