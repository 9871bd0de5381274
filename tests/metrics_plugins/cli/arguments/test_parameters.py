"""Tests that parameters get the type declared by a metric."""

from typing import ClassVar, Literal, Self

import pytest

from metrics_plugins.api import BuildContext, MetricInfo
from metrics_plugins.cli.arguments.parameters import parse_params
from metrics_plugins.cli.errors import UsageError
from metrics_plugins.runtime import load_registry
from tests.metrics_plugins.api.examples import ExamplePlugin, Words, make_info


class Configured(Words):
    info: ClassVar[MetricInfo] = make_info("configured")

    @classmethod
    def build(
        cls,
        context: BuildContext,
        *,
        n: int = 1,
        sigma: float = 1.0,
        clip: bool = True,
        tok: str = "ptb",
        rule: Literal["max", "mean", 3] = "max",
        cut: int | str | None = None,
        weights: tuple[float, ...] = (),
    ) -> Self:
        return cls()


REGISTRY = load_registry([ExamplePlugin(Configured)])


def _parse(*settings: str) -> dict:
    return parse_params(settings, metric_ids=["configured"], registry=REGISTRY)["configured"]


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("n=3", 3),
        ("sigma=3", 3.0),
        ("sigma=1e-3", 0.001),
        ("clip=yes", True),
        ("clip=False", False),
        ("tok=a=b", "a=b"),
        ("tok=", ""),
        ("rule=mean", "mean"),
        ("rule=3", 3),
        ("cut=4", 4),
        ("cut=none", None),
        ("cut=half", "half"),
        ("unknown=x", "x"),
    ],
)
def test_value_has_the_declared_type(setting: str, value: object) -> None:
    name = setting.split("=")[0]

    parsed = _parse(f"configured.{setting}")

    assert parsed == {name: value}
    assert type(parsed[name]) is type(value)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (["n=3"], "--param must be METRIC.NAME=VALUE, got 'n=3'"),
        (["configured.n"], "--param must be METRIC.NAME=VALUE, got 'configured.n'"),
        (["configured.=3"], "--param must be METRIC.NAME=VALUE, got 'configured.=3'"),
        (["other.n=3"], "--param 'other.n=3' sets a parameter of 'other', which is not among --metrics"),
        (["configured.n=3", "configured.n=4"], "--param 'configured.n' is set twice"),
        (["configured.n=x"], "--param 'configured.n=x': the value must be of type int"),
        (["configured.sigma=x"], "--param 'configured.sigma=x': the value must be of type float"),
        (["configured.clip=x"], "--param 'configured.clip=x': the value must be of type bool"),
        (["configured.rule=min"], "--param 'configured.rule=min': the value must be one of max, mean, 3"),
        (["configured.weights=1"], "--param 'configured.weights=1': the value must be of type "),
    ],
)
def test_wrong_setting_is_refused(settings: list, message: str) -> None:
    with pytest.raises(UsageError) as raised:
        _parse(*settings)

    assert str(raised.value).startswith(message)
