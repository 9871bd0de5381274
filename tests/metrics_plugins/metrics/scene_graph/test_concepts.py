import gzip
import json
from pathlib import Path

import pytest

from metrics_plugins.metrics.scene_graph.concepts import ConceptFile, ConceptTable, count_concepts
from metrics_plugins.readers import InputError


def test_counts_an_image_once_for_each_concept() -> None:
    table = count_concepts([(1, [("dog",), ("dog",), ("dog", "red")]), (2, [("dog",)]), (1, [])])

    assert table.n_images == 4
    assert table.counts == {"dog": 3, "dog red": 1}


def test_uniqueness_is_the_share_of_images_without_a_concept() -> None:
    # The paper's section 3.2: 28,186 of 113,287 training images mention a tree.
    table = ConceptTable(n_images=113_287, counts={"tree": 28_186})

    assert table.measure_uniqueness(("tree",)) == pytest.approx(0.75, abs=0.005)
    assert table.measure_uniqueness(("gazebo",)) == 1.0
    assert ConceptTable(n_images=0, counts={}).measure_uniqueness(("tree",)) == 1.0


def test_a_written_table_is_read_back_and_the_file_is_always_the_same(tmp_path: Path) -> None:
    first, second = tmp_path / "first.json.gz", tmp_path / "second.json.gz"
    ConceptTable(n_images=3, counts={"a": 1, "b c": 3, "\u00e9\ud800": 2}).write(first, made_of={"tok": "ptb"})
    ConceptTable(n_images=3, counts={"\u00e9\ud800": 2, "b c": 3, "a": 1}).write(second, made_of={"tok": "ptb"})

    assert first.read_bytes() == second.read_bytes()
    table = ConceptFile.open(str(first)).load()
    assert (table.n_images, table.counts) == (3, {"a": 1, "b c": 3, "\u00e9\ud800": 2})
    assert [path.name for path in sorted(tmp_path.iterdir())] == ["first.json.gz", "second.json.gz"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ([], "must be a table of concepts"),
        ({"format": "something else"}, "must be a table of concepts"),
        ({"format": "accordance concepts 1", "n_images": 3}, "must have a whole number 'n_images'"),
        ({"format": "accordance concepts 1", "n_images": 3, "counts": {"dog": 4}}, "count of 'dog' must be .* 1 to 3"),
    ],
)
def test_another_file_is_refused(tmp_path: Path, content: object, message: str) -> None:
    path = tmp_path / "table.json.gz"
    path.write_bytes(gzip.compress(json.dumps(content).encode()))

    with pytest.raises(InputError, match=rf"table\.json\.gz: {message}"):
        ConceptFile.open(str(path)).load()


def test_a_changed_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "table.json.gz"
    ConceptTable(n_images=1, counts={"dog": 1}).write(path, made_of={})
    file = ConceptFile.open(str(path))
    ConceptTable(n_images=1, counts={}).write(path, made_of={})

    with pytest.raises(InputError, match="its content has changed"):
        file.load()
