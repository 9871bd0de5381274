from typing import Literal

import pytest

from metrics_plugins.api import BuildContext, Metric
from metrics_plugins.runtime.sandbox.parameters import FormParameter, list_parameters
from tests.metrics_plugins.api.examples import Words


class Takes(Words):
    """Has a parameter of each kind."""

    @classmethod
    def build(
        cls,
        context: BuildContext,
        *,
        n: int = 4,
        share: float = 0.5,
        name: str = "ptb",
        strict: bool = True,
        unit: Literal["word", "letter"] = "word",
        limit: int | None = None,
        either: int | str = 3,
        several: tuple[int, ...] = (1, 2),
    ) -> Metric:
        return cls()


PARAMETERS = (
    FormParameter("n", "int", 4),
    FormParameter("share", "float", 0.5),
    FormParameter("name", "str", "ptb"),
    FormParameter("strict", "bool", True),
    FormParameter("unit", "choice", "word", choices=("word", "letter")),
    FormParameter("limit", "int", None, optional=True),
    FormParameter("either", "other", 3),
    FormParameter("several", "other", None),
)


def test_parameters_are_read_off_build():
    assert list_parameters(Takes) == PARAMETERS
    assert list_parameters(Words) == ()


@pytest.mark.parametrize(
    ("place", "value", "read"),
    [(0, 3, 3), (1, 1, 1.0), (1, 0.25, 0.25), (2, "", ""), (3, False, False), (4, "letter", "letter"), (5, None, None)],
)
def test_values_of_the_right_type_are_read(place, value, read):
    assert PARAMETERS[place].read(value) == read


@pytest.mark.parametrize(
    ("place", "value", "told"),
    [
        (0, 0.5, "n must be of type int, got 0.5"),
        (0, True, "n must be of type int, got True"),
        (0, None, "n must have a value"),
        (1, float("inf"), "share must be a finite number, got inf"),
        (1, "1", "share must be of type float, got '1'"),
        (3, 1, "strict must be of type bool, got 1"),
        (4, "sentence", "unit must be one of word, letter, got sentence"),
        (6, 3, "either must be of type other, got 3"),
    ],
)
def test_other_values_are_refused(place, value, told):
    with pytest.raises(ValueError, match=told):
        PARAMETERS[place].read(value)
