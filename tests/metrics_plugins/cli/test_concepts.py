import gzip
import json
from pathlib import Path

import pytest

from metrics_plugins.cli.concepts import main
from metrics_plugins.metrics.scene_graph.concepts import ConceptFile

CAPTIONS = [
    {"image_id": 1, "caption": "A dog."},
    {"image_id": 2, "caption": "a cat"},
    {"image_id": 1, "caption": "a hound"},
    {"image_id": 3, "caption": "A dog!"},
]
TUPLES = {"a dog": [["dog"]], "a cat": [["cat"], ["cat", "red"]], "a hound": [["hound"]]}


@pytest.fixture
def captions(tmp_path: Path) -> str:
    path = tmp_path / "captions.json"
    path.write_text(json.dumps(CAPTIONS))
    return str(path)


def test_writes_a_table_of_merged_concepts(captions: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tuples, out = tmp_path / "tuples.jsonl", tmp_path / "concepts.json.gz"
    tuples.write_text("".join(json.dumps({"caption": key, "tuples": some}) + "\n" for key, some in TUPLES.items()))

    assert main(["--captions", captions, "--tuples", str(tuples), "--out", str(out)]) == 0

    assert capsys.readouterr().out == f"{out}: 4 concepts of 3 images\n"
    table = ConceptFile.open(str(out)).load()
    assert (table.n_images, table.counts) == (3, {"cat": 1, "cat red": 1, "dog": 1, "hound/dog": 1})
    assert set(json.loads(gzip.decompress(out.read_bytes()))["made_of"]) == {"tok", "tuples"}


def test_the_bundled_parser_is_the_default(captions: str, tmp_path: Path) -> None:
    out = tmp_path / "concepts.json.gz"

    assert main(["--captions", captions, "--out", str(out)]) == 0

    assert ConceptFile.open(str(out)).load().counts == {"cat": 1, "dog": 1, "hound/dog": 1}
    assert set(json.loads(gzip.decompress(out.read_bytes()))["made_of"]) == {"tok", "parser", "spacy", "model"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--out", "table.json"], "must end in .json.gz"),
        (["--out", "nowhere/table.json.gz"], "must be a file in an existing folder"),
        (["--out", "table.json.gz", "--tokenizer", "none"], "no installed plugin provides a tokenizer 'none'"),
        (["--out", "table.json.gz", "--tuples", "none.jsonl"], "none.jsonl: cannot be read"),
    ],
)
def test_wrong_arguments_are_named_before_the_work(
    captions: str,
    tmp_path: Path,
    arguments: list[str],
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)

    assert main(["--captions", captions, *arguments]) == 2

    assert message in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["captions.json"]
