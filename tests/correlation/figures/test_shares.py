"""The table of shares as a figure."""

from math import nan

import pytest

from correlation.errors import CorrelationInputError
from correlation.figures.shares import Share, draw_shares


def test_cells_have_their_share_in_percent_and_say_where_it_may_be_chance() -> None:
    figure = draw_shares(
        [
            Share("bleu", "color", 0.914, (0.8, 0.95)),
            Share("bleu", "logic", 0.48, (0.4, 0.56)),
            Share("x", "logic", nan, (nan, nan)),
        ]
    )

    assert [(cell["printed"], cell["is_chance"]) for cell in figure["data"]["values"]] == [
        ("91.4", False),
        ("48.0", True),
        ("n/a", True),
    ]
    assert figure["encoding"]["y"]["scale"]["domain"] == ["bleu", "x"]
    assert figure["encoding"]["x"]["scale"]["domain"] == ["color", "logic"]


def test_figure_without_cells_is_refused() -> None:
    with pytest.raises(CorrelationInputError, match="at least one cell"):
        draw_shares([])
