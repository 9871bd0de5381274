"""The parameters of a metric for forms, derived from the signature of its `build`."""

import inspect
import math
from dataclasses import dataclass, replace
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from metrics_plugins.api.paths import list_path_kinds
from metrics_plugins.runtime.registry import MetricClass

Value = bool | int | float | str | None

_KINDS: dict[object, str] = {bool: "bool", int: "int", float: "float", str: "str"}
_KINDS_OF_VALUES: dict[str, type] = {"int": int, "str": str}


@dataclass(frozen=True, slots=True)
class FormParameter:
    """One parameter of a metric, described for a form.

    Attributes:
        name: The name of the argument of `build`.
        kind: `bool`, `int`, `float`, `str` or `choice`; `other` for other types, which keep their default.
        default: The value used if none is chosen.
        choices: The allowed values if `kind` is `choice`.
        optional: Whether None is allowed.
        path: For a path parameter, what it names (a `PathKind`), else "".
    """

    name: str
    kind: str
    default: Value
    choices: tuple[Value, ...] = ()
    optional: bool = False
    path: str = ""

    def read(self, value: object) -> Value:
        """Return a value with the type that `build` expects.

        Raises:
            ValueError: The value has another type or is not an allowed choice; the message states what is allowed.
        """
        if value is None:
            if not self.optional:
                raise ValueError(f"{self.name} must have a value")
            return None
        if self.kind == "choice":
            # The type is compared too, since True == 1.
            for choice in self.choices:
                if value == choice and type(value) is type(choice):
                    return choice
            raise ValueError(f"{self.name} must be one of {', '.join(map(str, self.choices))}, got {value}")
        if self.kind == "bool" and isinstance(value, bool):
            return value
        if self.kind == "float" and isinstance(value, int | float) and not isinstance(value, bool):
            if not math.isfinite(value):
                raise ValueError(f"{self.name} must be a finite number, got {value}")
            return float(value)
        # `type` rather than `isinstance`, since True is an int; floats were handled above.
        if isinstance(value, int | str) and type(value) is _KINDS_OF_VALUES.get(self.kind):
            return value
        raise ValueError(f"{self.name} must be of type {self.kind}, got {value!r}")


def list_parameters(metric_class: MetricClass) -> tuple[FormParameter, ...]:
    """Return the parameters of `build` without the context, in order."""
    try:
        hints = get_type_hints(metric_class.build)
    except Exception:  # annotations in a plugin may refer to undefined names
        hints = {}
    # The first parameter is always the context.
    parameters = list(inspect.signature(metric_class.build).parameters.values())[1:]
    named = [each for each in parameters if each.kind in (each.KEYWORD_ONLY, each.POSITIONAL_OR_KEYWORD)]
    paths = list_path_kinds(metric_class.build)
    described = [_describe(each, hints.get(each.name)) for each in named]
    return tuple(replace(each, path=paths[each.name].value) if each.name in paths else each for each in described)


def _describe(parameter: inspect.Parameter, hint: Any) -> FormParameter:
    known = parameter.default is None or isinstance(parameter.default, bool | int | float | str)
    default = parameter.default if known and parameter.default is not parameter.empty else None
    parts = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    optional = NoneType in parts
    kinds = [part for part in parts if part is not NoneType]
    choices = [value for part in kinds if get_origin(part) is Literal for value in get_args(part)]
    if choices and len(kinds) == 1:
        return FormParameter(parameter.name, "choice", default, tuple(choices), optional)
    kind = _KINDS.get(kinds[0], "other") if len(kinds) == 1 and known else "other"
    return FormParameter(parameter.name, kind, default, (), optional)
