"""Tests that a parameter declared once as a field determines what is built, printed and shown."""

import inspect
import pickle
from dataclasses import dataclass
from typing import Any

import pytest

from metrics_plugins.api import FitsOn, Fittable, Metric, MetricError, parameter
from metrics_plugins.api.metric import Described
from metrics_plugins.api.parameters import Building, add_settings, constant, made_parameter, tokenizer_parameter
from metrics_plugins.api.paths import FilePath, list_path_kinds
from metrics_plugins.api.providers import Tokenizer
from metrics_plugins.runtime import load_registry
from tests.metrics_plugins.api.examples import make_info


@dataclass(frozen=True, kw_only=True)
class Counted(Metric):
    info = make_info("counted")

    least: int = parameter(2, rule="at least 1", holds=lambda value: value >= 1)
    words: FilePath = parameter("")
    tokenizer: Tokenizer = tokenizer_parameter()

    def score(self, batch):
        raise NotImplementedError


@dataclass(frozen=True, kw_only=True)
class CountedTwice(Counted):
    info = make_info("counted-twice")

    share: float = parameter(0.5)


def _context():
    class Context:
        def get_tokenizer(self, name):
            return load_registry().get_tokenizer(name)

    return Context()


def test_build_shows_type_and_default_of_each_field():
    assert str(inspect.signature(Counted.build)) == (
        "(context, *, least: int = 2, words: typing.Annotated[str, <PathKind.FILE: 'file'>] = '', "
        "tokenizer: str = 'ptb')"
    )
    assert list_path_kinds(Counted.build) == {"words": "file"}
    assert list(inspect.signature(CountedTwice.build).parameters) == ["context", "least", "words", "tokenizer", "share"]


def test_signature_prints_fields_in_order_and_the_tokenizer_by_name():
    assert (
        str(CountedTwice.build(_context(), least=3).signature) == "counted-twice|least:3|words:|tok:ptb|share:0.5|v:1"
    )


def test_value_that_breaks_its_rule_is_refused():
    with pytest.raises(MetricError, match="`least` of metric 'counted' must be at least 1, got 0"):
        Counted.build(_context(), least=0)
    with pytest.raises(TypeError, match="unexpected keyword argument 'most'"):
        Counted.build(_context(), most=3)


def test_built_metric_goes_to_another_process():
    built = CountedTwice.build(_context(), share=0.25)

    assert pickle.loads(pickle.dumps(built)).signature == built.signature  # noqa: S301


def test_build_of_ones_own_stays():
    class Own(Counted):
        @classmethod
        def build(cls, context, *, other: int = 1):
            return other

    class Deeper(Own):
        pass

    assert (Own.build(None, other=2), Deeper.build(None)) == (2, 1)


def test_fields_of_settings_stand_behind_own_parameters():
    @dataclass(frozen=True)
    class Settings:
        rate: float = 0.1
        words: FilePath = ""

    class Learned(Metric):
        @classmethod
        @add_settings(Settings)
        def build(cls, context, *, weights: FilePath = "", **chosen: Any):
            return weights, Settings(**chosen)

    assert list(inspect.signature(Learned.build).parameters) == ["context", "weights", "rate", "words"]
    assert list_path_kinds(Learned.build) == {"weights": "file", "words": "file"}
    assert Learned.build(None, weights="w", rate=0.2) == ("w", Settings(rate=0.2))


def _read_sizes(building: Building, text: str) -> tuple[int, ...]:
    sizes = tuple(map(int, text.split(","))) if text else ()
    if len(sizes) > building.given["most"]:
        raise MetricError(f"{building.name} of {building.metric} must be {building.given['most']} at most")
    return sizes


@dataclass(frozen=True, kw_only=True)
class _Sizes(Described):
    most: int = parameter(2)
    sizes: tuple[int, ...] = made_parameter(
        "", hint=FilePath, make=_read_sizes, show=lambda sizes: {"n": len(sizes), "sum": sum(sizes)}
    )
    unseen: str = made_parameter("x", make=lambda _, value: value * 2, show=None)
    learned: str = constant("references", label="from")


@dataclass(frozen=True, kw_only=True)
class Sized(_Sizes, Fittable):
    info = make_info("sized", fits_on=FitsOn.REFERENCES)

    def fit(self, batch, targets, rng):
        raise NotImplementedError


@dataclass(frozen=True, kw_only=True)
class FittedSized(_Sizes, Metric):
    info = make_info("sized", fits_on=FitsOn.REFERENCES)

    table: str

    def score(self, batch):
        raise NotImplementedError


def test_value_made_by_a_function_prints_as_it_says_and_sees_the_other_parameters():
    built = Sized.build(_context(), sizes="3,4")

    assert (built.sizes, built.unseen) == ((3, 4), "xx")
    assert str(built.signature) == "sized|most:2|n:2|sum:7|from:references|v:1"
    assert list_path_kinds(Sized.build) == {"sizes": "file"}
    with pytest.raises(MetricError, match="sizes of sized must be 1 at most"):
        Sized.build(_context(), sizes="3,4", most=1)


def test_constant_prints_and_is_no_parameter():
    assert list(inspect.signature(Sized.build).parameters) == ["context", "most", "sizes", "unseen"]
    with pytest.raises(TypeError, match="learned"):
        Sized.build(_context(), learned="captions")


def test_fitted_metric_that_shares_the_fields_signs_alike():
    built = Sized.build(_context(), sizes="5")
    fitted = FittedSized(most=built.most, sizes=built.sizes, unseen=built.unseen, table="learned")

    assert fitted.signature == built.signature
