"""Parse parameters of metrics given on the command line: `cider-d.n=3`."""

from collections.abc import Callable, Iterable, Mapping
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from metrics_plugins.cli.errors import UsageError
from metrics_plugins.runtime import Registry

_TRUTH = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}

_PARSERS: Mapping[object, Callable[[str], object]] = {
    bool: lambda text: _TRUTH[text.lower()],
    int: int,
    float: float,
    str: str,
    NoneType: lambda text: {"none": None}[text.lower()],
}


def parse_params(
    settings: Iterable[str], *, metric_ids: Iterable[str], registry: Registry
) -> dict[str, dict[str, object]]:
    """Return the parameters by metric, with the types that `build` of the metric declares.

    Raises:
        UsageError: A setting is not `METRIC.NAME=VALUE`, its metric is not among those to run, or its value has the
            wrong type. (Unknown parameter names are refused when the metric is built.)
    """
    params: dict[str, dict[str, object]] = {metric_id: {} for metric_id in metric_ids}
    for setting in settings:
        target, equals, text = setting.partition("=")
        metric_id, dot, name = target.partition(".")
        if not (equals and dot and name):
            raise UsageError(f"--param must be METRIC.NAME=VALUE, got {setting!r}")
        if metric_id not in params:
            raise UsageError(f"--param {setting!r} sets a parameter of {metric_id!r}, which is not among --metrics")
        if name in params[metric_id]:
            raise UsageError(f"--param {target!r} is set twice")
        hint = get_type_hints(registry.get(metric_id).metric_class.build).get(name, str)
        params[metric_id][name] = parse_value(text, hint=hint, setting=setting)
    return params


def parse_value(text: str, *, hint: Any, setting: str) -> object:
    """Return a value of the type that a parameter declares.

    Args:
        text: The value as written.
        hint: The annotation of the parameter.
        setting: The whole setting, for error messages.

    Raises:
        UsageError: The value has another type.
    """
    if get_origin(hint) is Literal:
        choices = {str(value): value for value in get_args(hint)}
        if text not in choices:
            raise UsageError(f"--param {setting!r}: the value must be one of {', '.join(choices)}")
        return choices[text]
    # The types of a union are tried in order, with str last: for `int | str`, "4" becomes a number.
    parts = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    hints = sorted(parts, key=lambda part: part is str)
    for part in hints:
        parse = _PARSERS.get(part)
        try:
            if parse:
                return parse(text)
        except (ValueError, KeyError):
            continue
    names = " or ".join(getattr(part, "__name__", str(part)) for part in hints)
    raise UsageError(f"--param {setting!r}: the value must be of type {names}")
