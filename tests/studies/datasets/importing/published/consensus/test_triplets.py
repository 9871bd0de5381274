"""Small files in the layout of the consensus studies, with numbers worked out by hand."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metrics_plugins.runtime import load_registry
from studies.analysis.correlations import gather_observations
from studies.analysis.reports import correlate_observations
from studies.models import Item, Judgment, ReferenceChoice, Study
from studies.scoring.study_scoring import score_study
from tests.factories.studies import NOW
from tests.installed import INSTALLED_PLUGINS
from tests.metrics_plugins.api.examples import ExamplePlugin
from tests.studies.datasets.importing.conftest import Import, Refuse
from tests.studies.datasets.importing.published.test_fense import Share

Row = tuple[str, str, str, int]

DOG, RUN, SIT, LIE = "a dog", "a dog runs", "a cat sits", "a dog lies"
ROWS: list[Row] = [
    # B is chosen by two of three. The first reference is in B by 2/3, in C by 1/3.
    ("a dog barks", DOG, SIT, 1),
    ("dogs", DOG, SIT, 1),
    ("a cat", DOG, SIT, -1),
    # C is chosen by both, once with the captions the other way round.
    ("a dog runs away", SIT, RUN, -1),
    ("a dog", RUN, SIT, 1),
    # One vote each.
    ("a dog", DOG, RUN, 1),
    ("a dog runs", DOG, RUN, -1),
    # Both captions have the same score, and B is chosen.
    ("a", LIE, SIT, 1),
]


def write_mat(path: Path, rows: Sequence[Row], *, rating: Any = None) -> Path:
    """Write a struct array `triplets` whose texts are nested in cells of one element, as in the published files."""
    from scipy.io import savemat

    def wrap(text: str) -> Any:
        inner, outer = np.empty((1, 1), dtype=object), np.empty((1, 1), dtype=object)
        inner[0, 0] = text
        outer[0, 0] = inner
        return outer

    struct = np.empty((1, len(rows)), dtype=[(name, object) for name in ("A", "B", "C", "rating")])
    for index, (*texts, value) in enumerate(rows):
        # The type differs from cell to cell.
        number = np.array([[value]], dtype=np.uint8 if value > 0 else np.int16)
        struct[0, index] = (*map(wrap, texts), number if rating is None else rating)
    savemat(path, {"triplets": struct}, do_compression=True)
    return path


def test_imports_votes_with_all_references(run_import: Import, tmp_path: Path) -> None:
    found = run_import("triplets", source=write_mat(tmp_path / "consensus_abstract.mat", ROWS))

    assert str(found) == (
        "study triplets (triplet@1): 8 rows read; 4 images, 8 references, 8 candidates, 4 items, 3 raters, "
        "8 judgments\n"
        "note: 4 pairs with 1 to 3 votes each\n"
        "note: 1 pair with as many votes for B as for C is left out of accuracies, and counted\n"
        "note: 2 of 8 captions are references of their image (2 exactly, 0 after normalising case, blanks and "
        "punctuation)"
    )
    items = Item.objects.order_by("pk").values_list("candidate__text", "other_candidate__text", "category")
    assert list(items) == [(DOG, SIT, ""), (SIT, RUN, ""), (DOG, RUN, ""), (LIE, SIT, "")]
    votes = Judgment.objects.filter(item__key="pair-0002").order_by("pk").values_list("value", "answer")
    assert list(votes) == [(-1.0, {"anchor": "a dog runs away"}), (-1.0, {"anchor": "a dog"})]


def test_accuracy_by_hand_with_any_number_of_references(run_import: Import, tmp_path: Path) -> None:
    run_import("triplets", source=write_mat(tmp_path / "votes.mat", ROWS))
    study = Study.objects.get(name="triplets")
    registry = load_registry([ExamplePlugin(Share)], blocked=INSTALLED_PLUGINS)

    score_study(study, now=lambda: NOW, registry=registry)
    gathered = gather_observations(study, registry=registry)

    # The metric is the share of the first reference's words that the caption has.
    np.testing.assert_allclose(gathered.metrics[0].scores[0], [(2 / 3, 1 / 3), (1 / 4, 3 / 4), (1, 1), (1, 1)])
    # Two pairs right, one tie of the metric (wrong), and one tie of the votes, which is left out.
    (row,) = correlate_observations(gathered).rows
    assert (row.value, row.n, row.n_missing) == (2 / 3, 3, 1)

    rules = {"draw-1x1": "references=draw-1x1", "half": "ties=half"}
    values = {}
    for name, option in rules.items():
        score_study(study, now=lambda: NOW, registry=registry, protocol_options=[option])
        chosen = gather_observations(study, registry=registry, protocol_options=[option])
        values[name] = correlate_observations(chosen).rows[0].value
    # Whichever reference is drawn: the second pair is right, the last one is a tie; the first one depends on the draw.
    assert values["half"] == 2.5 / 3
    assert values["draw-1x1"] in (1 / 3, 2 / 3)


def test_runs_of_48_are_pairs_of_their_own(run_import: Import, tmp_path: Path) -> None:
    rows = [(f"a dog {vote // 2}", DOG, SIT, 1 if vote % 48 < 30 else -1) for vote in range(96)]

    run_import("triplets", source=write_mat(tmp_path / "consensus_pascal.mat", rows), study="mine")

    assert [item.judgments.count() for item in Item.objects.order_by("pk")] == [48, 48]
    # Each row has a reference of its own, also where two people wrote the same.
    assert ReferenceChoice.objects.filter(candidate__key="pair-0001-b").count() == 48


def test_reads_tables_with_images_and_categories(run_import: Import, tmp_path: Path) -> None:
    path = tmp_path / "votes.jsonl"
    names = ("A", "b", "C", "rating", "image", "category")
    rows = [("x", DOG, SIT, 1, "1", "HC"), ("y", SIT, DOG, 0, "1", "HC"), ("x", DOG, SIT, -1, "2", "HI")]
    path.write_text("".join(json.dumps(dict(zip(names, row, strict=True))) + "\n" for row in rows))

    run_import("triplets", source=path)

    items = Item.objects.order_by("pk").values_list("image__key", "category")
    assert list(items) == [("1", "HC"), ("2", "HI")]


def test_names_the_categories_of_abstract50s(run_import: Import, tmp_path: Path) -> None:
    rows = [("a", f"caption {pair}", SIT, 1) for pair in range(400) for _ in range(2)]

    run_import("triplets", source=write_mat(tmp_path / "consensus_abstract.mat", rows))

    found = list(Item.objects.order_by("pk").values_list("category", flat=True))
    assert found == ["HC"] * 200 + ["HI"] * 200


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("votes.csv", "A,B,rating\na,b,1\n", "votes.csv: must have the columns A, B, C, rating, got A, B, rating"),
        (
            "votes.csv",
            "A,B,C,rating\na,b,c,2\n",
            "votes.csv, line 2, field rating: must be 1 (B), -1 (C) or 0, got '2'",
        ),
        ("votes.csv", "A,B,C,rating\n,b,c,1\n", "votes.csv, line 2, field A: must be text, got None"),
        ("votes.txt", "A", "votes.txt: must end in .mat, .csv, .tsv, .jsonl, .parquet"),
    ],
)
def test_refuses_bad_tables(refuse: Refuse, tmp_path: Path, name: str, content: str, message: str) -> None:
    (tmp_path / name).write_text(content)

    assert refuse("triplets", source=tmp_path / name) == message


def test_refuses_a_bad_rating(refuse: Refuse, tmp_path: Path) -> None:
    path = write_mat(tmp_path / "consensus_abstract.mat", ROWS, rating=np.array([[1, 1]]))

    assert refuse("triplets", source=path) == (
        "consensus_abstract.mat, record 1, field rating: must be 1 (B), -1 (C) or 0, got 1, 1"
    )
