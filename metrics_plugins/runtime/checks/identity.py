"""Checks on a metric as an object: its parameters, signature, pickling and import."""

import inspect
import os
import pickle
import subprocess
import sys
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import Literal, get_args, get_origin, get_type_hints

from metrics_plugins.api.errors import CheckFailed
from metrics_plugins.api.metric import Fittable, Metric
from metrics_plugins.api.signature import format_value
from metrics_plugins.runtime.checks.subject import Subject, require, require_equal

HEAVY_MODULES = ("torch", "spacy", "nltk", "pandas", "transformers")

# Set in the interpreter that tries the import. Without it, a module that checks its own metric at import time would
# start interpreters recursively.
_TRYING_IMPORT = "ACCORDANCE_TRYING_IMPORT"
_IMPORT_SECONDS = 120

_IMPORT_PROGRAM = """
import importlib, sys
loaded_before = set(sys.modules)
heavy, names = sys.argv[1].split(","), sys.argv[2:]
for name in names:
    importlib.import_module(name)
print(*[name for name in heavy if name in sys.modules and name not in loaded_before])
"""


def check_parameters(subject: Subject) -> None:
    """`build` takes a context and then only keyword-only parameters, each typed and with a default."""
    for parameter in _list_parameters(subject):
        right = (
            parameter.kind is parameter.KEYWORD_ONLY
            and parameter.default is not parameter.empty
            and parameter.annotation is not parameter.empty
        )
        require(
            right,
            expected="every parameter of build to be keyword-only, typed and with a default",
            came=f"`{parameter}`",
        )


def check_signature(subject: Subject) -> None:
    """The signature names the metric and its version, includes every parameter, and changes with each of them."""
    info, signature = subject.info, subject.build().signature
    came = f"`{signature}`"
    expected = f"a signature of metric {info.id!r}, version {info.version!r}"
    require((signature.metric, signature.version) == (info.id, info.version), expected=expected, came=came)
    printed = dict(signature.fields)
    for parameter in _list_parameters(subject):
        value = "" if parameter.default is None else format_value(parameter.default)
        is_printed = parameter.name in printed or any(value in text for text in printed.values())
        require(is_printed, expected=f"parameter {parameter.name!r} ({value}) in the signature", came=came)
        changed = _build_changed(subject, parameter)
        if changed:
            new_value, other = changed
            expected = f"another signature with {parameter.name}={new_value!r}"
            require(str(other.signature) != str(signature), expected=expected, came=came)


def _list_parameters(subject: Subject) -> list[inspect.Parameter]:
    # The first parameter is always the context.
    return list(inspect.signature(subject.metric_class.build).parameters.values())[1:]


def _build_changed(subject: Subject, parameter: inspect.Parameter) -> tuple[object, Metric | Fittable] | None:
    hint = get_type_hints(subject.metric_class.build).get(parameter.name)
    for value in _vary(parameter.default, hint):
        if value == parameter.default:
            continue
        try:
            return value, subject.build(**{parameter.name: value})
        except Exception:  # noqa: S112  (a metric may refuse a value; then there is nothing to compare)
            continue
    return None


def _vary(default: object, hint: object) -> Iterator[object]:
    if get_origin(hint) is Literal:
        yield from (value for value in get_args(hint) if value != default)
    elif isinstance(default, Enum):
        yield from (value for value in type(default) if value is not default)
    elif isinstance(default, bool):
        yield not default
    elif isinstance(default, int):
        yield from (default + 1, default - 1, 2 * default)
    elif isinstance(default, float):
        yield from (2 * default, default / 2, default + 0.1)


def check_pickling(subject: Subject) -> None:
    """A metric can be pickled, before and after fitting, and keeps its signature and scores."""
    built = subject.build()
    arrived = pickle.loads(pickle.dumps(built))  # noqa: S301  (bytes made one step before)
    require(arrived.signature == built.signature, expected="the signature kept by pickling", came=arrived.signature)
    metric = subject.make()
    scores = subject.score(metric, subject.sample)
    if subject.info.deterministic:
        arrived = pickle.loads(pickle.dumps(metric))  # noqa: S301
        again = subject.score(arrived, subject.sample)
        require_equal(scores.values, again.values, keys=scores.keys, expected="the same scores after pickling")


def check_light_import(subject: Subject) -> None:
    """Loading the plugin imports no heavy library; these are imported when a metric is built or scores."""
    expected = "checks not to run while the plugin's own module is imported"
    require(_TRYING_IMPORT not in os.environ, expected=expected, came="a check inside an import")
    search_path = os.pathsep.join(entry or str(Path.cwd()) for entry in sys.path)
    command = [sys.executable, "-c", _IMPORT_PROGRAM, ",".join(HEAVY_MODULES), *subject.modules]
    environment = {**os.environ, "PYTHONPATH": search_path, _TRYING_IMPORT: "1"}
    modules = " and ".join(subject.modules)
    try:
        result = subprocess.run(  # noqa: S603
            command, env=environment, capture_output=True, text=True, check=False, timeout=_IMPORT_SECONDS
        )
    except subprocess.TimeoutExpired as error:
        raise CheckFailed(f"expected {modules} to be imported within {_IMPORT_SECONDS} s; got no end") from error
    if result.returncode:
        reason = (result.stderr.strip().splitlines() or ["no message"])[-1]
        raise CheckFailed(f"expected {modules} to be importable in a fresh interpreter; got {reason}")
    heavy = result.stdout.strip()
    require(not heavy, expected=f"{modules} to import none of {', '.join(HEAVY_MODULES)}", came=f"an import of {heavy}")
