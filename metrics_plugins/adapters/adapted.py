"""The common base of adapted metrics, whose classes are created from a declaration and can be pickled."""

import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any, ClassVar, TypeAlias

from metrics_plugins.adapters.declaring import Parameter
from metrics_plugins.api import Batch, BuildContext, Input, Metric, MetricInfo
from metrics_plugins.api.parameters import show_parameters
from metrics_plugins.api.signature import SignatureValue

Row: TypeAlias = tuple[str, tuple[str, ...]]
"""The candidate and the references of a row."""


@dataclass(frozen=True, slots=True)
class Adaptation:
    """The definition of an adapted class; equal definitions give the same class.

    Attributes:
        base: The base class, which scores with the source.
        source: The adapted object, which must be hashable, and picklable if the metric is to be.
        info: The declaration.
        parameters: The parameters of `build`.
    """

    base: "type[AdaptedMetric]"
    source: Any
    info: MetricInfo
    parameters: tuple[Parameter, ...]


class AdaptedMetric(Metric):
    """A metric whose class is created by `make_class`."""

    adaptation: ClassVar[Adaptation]

    def __init__(self, params: Mapping[str, SignatureValue], *, device: str) -> None:
        self.params = MappingProxyType(dict(params))
        self.device = device

    def describe(self) -> Mapping[str, SignatureValue]:
        return dict(self.params)

    def __reduce__(self) -> tuple[Any, ...]:
        # Another process cannot import the class by name, and creates it again.
        return _restore, (self.adaptation, dict(self.params), self.device)


@cache
def make_class(adaptation: Adaptation) -> type[AdaptedMetric]:
    """Return the class of an adapted metric."""
    source, info = adaptation.source, adaptation.info
    # The module of the metric is that of its function.
    module = getattr(source, "__module__", None)
    return type(
        info.id.title().replace("-", ""),
        (adaptation.base,),
        {
            "__doc__": inspect.getdoc(source) if callable(source) else info.title,
            "__module__": module if callable(source) and isinstance(module, str) else adaptation.base.__module__,
            "info": info,
            "adaptation": adaptation,
            "build": _make_build(adaptation.parameters),
        },
    )


def list_rows(batch: Batch, info: MetricInfo) -> list[Row | None]:
    """Return (candidate, references) of each row; None if the metric reads references and the row has none."""
    if Input.REFERENCES not in info.inputs:
        return [(candidate, ()) for candidate in batch.candidates]
    rows = zip(batch.candidates, batch.references, strict=True)
    return [(candidate, references) if references else None for candidate, references in rows]


def _make_build(parameters: tuple[Parameter, ...]) -> Any:
    """Return a `build` method with these parameters in its signature."""

    def build(cls: type[AdaptedMetric], /, context: BuildContext, **params: SignatureValue) -> AdaptedMetric:
        defaults = {parameter.name: parameter.default for parameter in parameters}
        return cls({**defaults, **params}, device=context.device)

    build.__doc__ = "Return the metric with these parameters, which are those of what was adapted."
    return classmethod(show_parameters(build, {each.name: (each.hint, each.default) for each in parameters}))


def _restore(adaptation: Adaptation, params: Mapping[str, SignatureValue], device: str) -> AdaptedMetric:
    return make_class(adaptation)(params, device=device)
