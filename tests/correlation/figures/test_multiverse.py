from correlation.figures.multiverse import draw_multiverse
from correlation.protocols.multiverse import Multiverse, Universe

MULTIVERSE = Multiverse(
    metrics=("a", "b"),
    universes=(
        Universe("mean", "item", "pearson", (0.1, 0.2), (2, 1)),
        Universe("median", "item", "pearson", (0.1, 0.3), (2, 1)),
        Universe("mean", "item", "kendall-b", (0.2, 0.1), (1, 2)),
        Universe("median", "item", "kendall-b", (0.2, float("nan")), (1, None)),
    ),
    wins=(0.5, 0.5),
)


def read_panel(panel):
    return {
        (cell["metric"], cell["option"]): (cell["printed"], round(cell["shade"], 3)) for cell in panel["data"]["values"]
    }


def test_panels_are_the_ranks_and_every_choice_with_options():
    figure = draw_multiverse(MULTIVERSE, title="demo")

    assert [panel["title"]["text"] for panel in figure["hconcat"]] == [
        "share of universes with rank",
        "mean rank by aggregation",
        "mean rank by coefficient",
    ]
    assert (figure["title"]["text"], figure["title"]["subtitle"]) == (
        "demo",
        ["4 universes: every way to analyse the same data."],
    )


def test_ranks_are_shares_of_the_universes():
    panel = draw_multiverse(MULTIVERSE)["hconcat"][0]

    assert read_panel(panel) == {
        ("a", "1"): ("50 %", 0.5),
        ("a", "2"): ("50 %", 0.5),
        ("b", "1"): ("50 %", 0.5),
        ("b", "2"): ("25 %", 0.25),
        ("b", "none"): ("25 %", 0.25),
    }
    assert panel["encoding"]["x"]["scale"]["domain"] == ["1", "2", "none"]


def test_choices_have_the_mean_rank_of_their_universes_and_the_best_is_darkest():
    panel = draw_multiverse(MULTIVERSE)["hconcat"][2]

    assert read_panel(panel) == {
        ("a", "Pearson r"): ("2.0", 0.0),
        ("a", "Kendall τ-b"): ("1.0", 1.0),
        ("b", "Pearson r"): ("1.0", 1.0),
        ("b", "Kendall τ-b"): ("2.0", 0.0),
    }


def test_clusters_are_sorted_by_wins_then_mean_rank():
    # b and a win alike; the mean rank of b, over the universes where it has one, is 4/3, that of a is 3/2.
    panel = draw_multiverse(MULTIVERSE)["hconcat"][0]

    assert panel["encoding"]["y"]["scale"]["domain"] == ["b", "a"]
