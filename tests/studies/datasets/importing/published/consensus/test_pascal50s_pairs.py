"""Tests of invalid references and pairs in PASCAL-50S."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.io import loadmat, savemat

from tests.studies.datasets.importing.conftest import Refuse


def change_mat(path: Path, change: Callable[[dict[str, Any]], None]) -> None:
    data = {name: value for name, value in loadmat(path).items() if not name.startswith("__")}
    change(data)
    savemat(path, data, do_compression=True)


def _set(name: str, index: int, field: str, value: Any) -> Callable[[dict[str, Any]], None]:
    def change(data: dict[str, Any]) -> None:
        data[name][0, index][field] = value

    return change


def _set_number(name: str, index: tuple[int, int], value: int) -> Callable[[dict[str, Any]], None]:
    def change(data: dict[str, Any]) -> None:
        data[name][index] = value

    return change


def _cut(name: str) -> Callable[[dict[str, Any]], None]:
    def change(data: dict[str, Any]) -> None:
        data[name] = data[name][:, :-1]

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            _set("result", 1, "result", np.array([[1, 1, 0]])),
            "pair_pascal.mat, record 2, field result: must be votes of 1 or -1, got 1, 1, 0",
        ),
        (
            _set("result", 1, "result", np.zeros((0, 0))),
            "pair_pascal.mat, record 2, field result: must be votes of 1 or -1, got none",
        ),
        (
            _set_number("new_data", (1, 0), 8),
            "pair_pascal.mat, record 2, field new_data: must be two writers from 1 to 7 that make a category "
            "(6,6 HC; 6,7 HI; 6 and 1-5 HM; two of 1-5 MM), got 8, 6",
        ),
        (
            _set_number("category", (0, 1), 4),
            "pair_pascal.mat, record 2, field category: must be 1 (HC) for captions by 6 and 6, got 4",
        ),
        (
            _set("new_input", 1, "name", np.array(["nowhere.jpg"])),
            "pair_pascal.mat, record 2, field name: must be an image of pascal50S.mat, got 'nowhere.jpg'",
        ),
        (
            _set("new_input", 1, "sent2", np.array([[3]])),
            "pair_pascal.mat, record 2, field sent2: must be a text, got int64 of 1x1",
        ),
        (
            _cut("category"),
            "pair_pascal.mat, variable category: must have a row for each of the 6 pairs of new_input, got 5",
        ),
        (
            lambda data: data.pop("new_data"),
            "pair_pascal.mat: must have the variables new_input, new_data, category, result, "
            "got new_input, category, result",
        ),
    ],
    ids=["vote", "no votes", "writer", "category", "image", "text", "count", "variable"],
)
def test_refuses_a_bad_pair(
    refuse: Refuse, pascal50s: Path, change: Callable[[dict[str, Any]], None], message: str
) -> None:
    change_mat(pascal50s / "pair_pascal.mat", change)

    assert refuse("pascal-50s", source=pascal50s) == message


def test_refuses_references_of_another_structure(refuse: Refuse, pascal50s: Path, data_folder: Path) -> None:
    original = data_folder / "pascal50s" / "original_2014" / "pascal50S.mat"
    (pascal50s / "pascal50S.mat").write_bytes(original.read_bytes())

    message = refuse("pascal-50s", source=pascal50s)
    assert message == "pascal50S.mat: must have the variables refs, got train_sent_final"


def test_refuses_an_image_that_is_there_twice(refuse: Refuse, pascal50s: Path) -> None:
    change_mat(pascal50s / "pascal50S.mat", lambda data: data.update(refs=np.hstack([data["refs"], data["refs"]])))

    message = refuse("pascal-50s", source=pascal50s)
    assert message.startswith("pascal50S.mat, record 7, field image: must occur only once, got '2008_")


def test_refuses_a_cut_file(refuse: Refuse, pascal50s: Path) -> None:
    path = pascal50s / "pascal50S.mat"
    path.write_bytes(path.read_bytes()[:-100])

    assert refuse("pascal-50s", source=pascal50s) == "pascal50S.mat: is truncated: it ends within a variable"
