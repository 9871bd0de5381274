"""Tests that tables are scored in parts as in memory, continued where they were left, and refused with the reason."""

import fcntl
import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from metrics_plugins.api import MetricError
from metrics_plugins.cli.arguments.building import ask_metrics
from metrics_plugins.cli.inputs import Captions
from metrics_plugins.large_tables import partitions, scoring
from metrics_plugins.large_tables.manifest import FILE
from metrics_plugins.large_tables.scoring import ScoredTable, TableRequest, score_table
from metrics_plugins.large_tables.storage import find_storage
from metrics_plugins.readers import InputError
from metrics_plugins.runtime import fit_metric, load_registry, run_metric
from metrics_plugins.runtime.sessions import TrustedBackend
from metrics_plugins.text.comparing import normalize_caption
from tests.metrics_plugins.large_tables.tables import list_candidates, list_references, write_inputs, write_table

METRICS = ("bleu-4", "cider-d", "cider", "rouge-l", "length")


@pytest.fixture(autouse=True)
def _small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scoring, "CHUNK_SIZE", 17)
    monkeypatch.setattr(partitions, "_ROWS_PER_GROUP", 19)


def score(
    candidates: object,
    references: object,
    output: object,
    *,
    metrics: tuple[str, ...] = METRICS,
    params: tuple[str, ...] = (),
    kind: str = "inline",
    **options: int,
) -> ScoredTable:
    registry = load_registry()
    request = TableRequest(
        candidates=str(candidates),
        references=None if references is None else str(references),
        metrics=tuple(ask_metrics(registry, metrics, params=params)),
        output=find_storage(str(output)),
        **{"rows_per_partition": 70, **options},
    )
    return score_table(request, TrustedBackend(registry=registry, kind=kind, workers=1 if kind == "inline" else 2))


def read_folder(folder: Path) -> pa.Table:
    return pa.concat_tables([pq.read_table(path) for path in sorted(folder.glob("*.parquet"))])


def score_in_memory(metric: str) -> tuple[np.ndarray, float]:
    candidates, references = list_candidates(), dict[str, list[str]]()
    for image, caption in zip(*list_references().values(), strict=True):
        references.setdefault(str(image), []).append(caption)
    captions = Captions(
        image_ids=tuple(map(str, candidates["image_id"])),
        candidates=tuple(candidates["caption"]),
        references={image: tuple(texts) for image, texts in references.items()},
    )
    batch = captions.make_segments()
    built, rng = load_registry().build(metric), np.random.default_rng(0)
    if metric.startswith("cider"):
        built = fit_metric(built, batch.select(captions.first_rows), rng=rng)
    run = run_metric(built, batch, rng=rng)
    return run.scores.values, run.corpus


@pytest.mark.parametrize("kind", ["inline", "processes"])
def test_scores_are_those_in_memory_to_the_last_digit(kind: str, tmp_path: Path) -> None:
    scored = score(*write_inputs(tmp_path), tmp_path / "out", kind=kind)

    found = read_folder(tmp_path / "out")
    for metric in METRICS:
        values, corpus = score_in_memory(metric)
        np.testing.assert_array_equal(found[metric].to_numpy(), values)
        assert scored.manifest.scores[metric] == corpus


def test_rows_are_those_of_the_candidates_in_order(tmp_path: Path) -> None:
    score(*write_inputs(tmp_path), tmp_path / "out", metrics=("length",))

    candidates, found = list_candidates(), read_folder(tmp_path / "out")
    assert found.column_names == ["row", "image_id", "system", "caption", "in_references", "length"]
    assert found["row"].to_pylist() == list(range(len(candidates["caption"])))
    assert found["image_id"].to_pylist() == list(map(str, candidates["image_id"]))
    assert found["caption"].to_pylist() == candidates["caption"]
    assert found["system"].to_pylist() == candidates["system"]
    own: dict[int, set] = {}
    for image, caption in zip(*list_references().values(), strict=True):
        own.setdefault(image, set()).add(normalize_caption(caption))
    expected = [
        normalize_caption(caption) in own[image]
        for image, caption in zip(candidates["image_id"], candidates["caption"], strict=True)
    ]
    assert found["in_references"].to_pylist() == expected
    assert {True, False} == set(expected)


def test_manifest_tells_signatures_digests_and_counts(tmp_path: Path) -> None:
    candidates, references = write_inputs(tmp_path)
    score(candidates, references, tmp_path / "out", metrics=("cider-d",))

    manifest = json.loads((tmp_path / "out" / FILE).read_text())
    assert manifest["signatures"] == {"cider-d": "cider-d|n:4|sigma:6|tok:ptb|df:references|v:1"}
    assert [(each["name"], each["rows"]) for each in manifest["candidates"]] == [("a.parquet", 200), ("b.parquet", 160)]
    assert manifest["candidates"][0]["sha256"] == find_storage(str(candidates)).digest("a.parquet")
    assert manifest["complete"] is True
    assert [(each["file"], each["first_row"], each["rows"]) for each in manifest["partitions"]] == [
        ("part-000000.parquet", 0, 70),
        ("part-000001.parquet", 70, 70),
        ("part-000002.parquet", 140, 60),
        ("part-000003.parquet", 200, 70),
        ("part-000004.parquet", 270, 70),
        ("part-000005.parquet", 340, 20),
    ]
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        ".lock",
        FILE,
        *(each["file"] for each in manifest["partitions"]),
    }


def test_undefined_scores_are_null_and_counted(tmp_path: Path) -> None:
    candidates = write_table(tmp_path / "c.parquet", {"image_id": ["1", "2"], "caption": ["a dog", "a cat"]})
    scored = score(candidates, None, tmp_path / "out", metrics=("length",))

    assert read_folder(tmp_path / "out").column_names == ["row", "image_id", "caption", "length"]
    assert scored.manifest.count("length") == (0, 0)
    assert scored.manifest.references is None


def test_complete_partitions_are_kept_and_damaged_ones_computed_again(tmp_path: Path) -> None:
    inputs = write_inputs(tmp_path)
    score(*inputs, tmp_path / "whole")
    score(*inputs, tmp_path / "out")
    manifest = json.loads((tmp_path / "out" / FILE).read_text())
    manifest["partitions"] = [each for each in manifest["partitions"] if each["number"] != 1]
    manifest["scores"], manifest["complete"] = {}, False
    (tmp_path / "out" / FILE).write_text(json.dumps(manifest))
    (tmp_path / "out" / "part-000004.parquet").write_bytes(b"half")
    (tmp_path / "out" / "part-000005.parquet").unlink()
    kept = {number: (tmp_path / "out" / f"part-00000{number}.parquet").stat().st_mtime_ns for number in (0, 2, 3)}

    scored = score(*inputs, tmp_path / "out")

    assert (scored.n_kept, scored.damaged) == (3, ("part-000004.parquet", "part-000005.parquet"))
    assert kept == {
        number: (tmp_path / "out" / f"part-00000{number}.parquet").stat().st_mtime_ns for number in (0, 2, 3)
    }
    for path in (tmp_path / "whole").glob("[!.]*"):
        assert (tmp_path / "out" / path.name).read_bytes() == path.read_bytes()


def test_a_folder_left_before_its_first_partition_was_noted_is_continued(tmp_path: Path) -> None:
    inputs = write_inputs(tmp_path)
    score(*inputs, tmp_path / "whole")
    score(*inputs, tmp_path / "out")
    manifest = json.loads((tmp_path / "out" / FILE).read_text())
    manifest |= {"partitions": [], "scores": {}, "complete": False}
    (tmp_path / "out" / FILE).write_text(json.dumps(manifest))

    assert score(*inputs, tmp_path / "out").n_kept == 0
    for path in (tmp_path / "whole").glob("[!.]*"):
        assert (tmp_path / "out" / path.name).read_bytes() == path.read_bytes()


def test_a_folder_is_known_as_unwritable_before_scoring_and_takes_other_metrics_while_it_is_empty(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inputs = write_inputs(tmp_path)

    def stop(*_: object, **__: object) -> None:
        assert json.loads((tmp_path / "out" / FILE).read_text())["partitions"] == []
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(scoring, "cut_spans", stop)
        with pytest.raises(KeyboardInterrupt):
            score(*inputs, tmp_path / "out", metrics=("bleu-4",))

    assert list(score(*inputs, tmp_path / "out", metrics=("length",)).manifest.scores) == ["length"]


def test_a_complete_folder_is_only_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inputs = write_inputs(tmp_path)
    first = score(*inputs, tmp_path / "out")
    monkeypatch.setattr(scoring.ReferenceIndex, "fill", lambda *_: pytest.fail("the references were read again"))

    again = score(*inputs, tmp_path / "out")

    assert again.manifest == first.manifest
    assert (again.n_kept, again.worker_peak) == (6, 0)


def test_a_folder_of_other_metrics_or_inputs_is_refused_with_the_reason(tmp_path: Path) -> None:
    candidates, references = write_inputs(tmp_path)
    score(candidates, references, tmp_path / "out", metrics=("cider-d",))
    before = (tmp_path / "out" / FILE).read_bytes()

    def refuse(expected: str, **options: object) -> None:
        with pytest.raises(InputError, match="cannot be continued, its manifest differs in ") as caught:
            score(candidates, references, tmp_path / "out", **{"metrics": ("cider-d",), **options})
        assert expected in str(caught.value)

    refuse("metrics: it holds scores by cider-d|n:4|sigma:6|tok:ptb|df:references|v:1", metrics=("bleu-4",))
    refuse("and the command asks for cider-d|n:4|sigma:3|", params=("cider-d.sigma=3",))
    refuse("--rows-per-partition: it was made with 70, and the command has 71", rows_per_partition=71)
    write_table(references, {name: values[:-1] for name, values in list_references().items()})
    refuse("references: the file has another content (")
    write_table(candidates / "c.parquet", list_candidates())
    refuse("candidates: the file 'c.parquet' is new")
    assert (tmp_path / "out" / FILE).read_bytes() == before


def test_a_folder_with_something_else_is_refused(tmp_path: Path) -> None:
    candidates, references = write_inputs(tmp_path)
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine.parquet").write_bytes(b"")
    with pytest.raises(InputError, match="out: holds Parquet files and no manifest: pass an empty folder"):
        score(candidates, references, tmp_path / "out")

    (tmp_path / "out" / FILE).write_text('{"format": 9}')
    with pytest.raises(InputError, match="must be the manifest of a folder of scores, got: its format must be 1"):
        score(candidates, references, tmp_path / "out")


def test_a_folder_is_used_by_one_process_at_a_time(tmp_path: Path) -> None:
    candidates, references = write_inputs(tmp_path)
    (tmp_path / "out").mkdir()
    with (tmp_path / "out" / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)

        with pytest.raises(InputError, match="another process is writing scores to this folder"):
            score(candidates, references, tmp_path / "out")


def test_an_image_without_references_is_named_before_anything_is_scored(tmp_path: Path) -> None:
    columns = {"image_id": ["1", "2", "3", "3"], "caption": ["a dog", "a cat", "a bird", "a bird"]}
    candidates = write_table(tmp_path / "c.parquet", columns, rows_per_group=2)
    references = write_table(tmp_path / "r.parquet", {"image_id": [2, 1], "caption": ["a cat", "a dog"]})

    with pytest.raises(InputError) as caught:
        score(candidates, references, tmp_path / "out")

    assert str(caught.value) == (
        f"{candidates}: row group 2, row 1: column 'image_id': image 3 has no references in {references}"
    )
    assert [path.name for path in (tmp_path / "out").iterdir()] == [".lock"]


@pytest.mark.parametrize(
    ("metric", "message"),
    [
        ("self-cider", "has no score of single captions"),
        ("vocabulary-size", "has no score of single captions"),
        ("uniqueness", "learns from all references at once, and so cannot score a table in parts"),
        ("bleu-4", "needs references: pass --references"),
    ],
)
def test_a_metric_that_needs_all_rows_or_more_columns_is_refused(metric: str, message: str, tmp_path: Path) -> None:
    candidates, references = write_inputs(tmp_path)

    with pytest.raises(MetricError, match=f"metric '{metric}' {message}"):
        score(candidates, None if metric == "bleu-4" else references, tmp_path / "out", metrics=(metric,))


def test_tables_and_folders_may_be_urls(tmp_path: Path) -> None:
    fsspec = pytest.importorskip("fsspec")
    candidates, references = write_inputs(tmp_path)
    memory = fsspec.filesystem("memory")
    memory.put(str(candidates), "/tables/candidates", recursive=True)
    memory.put(str(references), "/tables/references.parquet")
    score(candidates, references, tmp_path / "out")

    def score_urls() -> ScoredTable:
        return score("memory://tables/candidates", "memory://tables/references.parquet", "memory://tables/out")

    scored = score_urls()

    assert (scored.n_kept, score_urls().n_kept) == (0, 6)
    for path in sorted((tmp_path / "out").glob("part-*")):
        assert memory.cat(f"/tables/out/{path.name}") == path.read_bytes()
    assert sorted(name.rpartition("/")[2] for name in memory.ls("/tables/out", detail=False)) == sorted(
        path.name for path in (tmp_path / "out").glob("[!.]*")
    )
    memory.rm("/tables", recursive=True)


def test_an_unknown_protocol_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("fsspec")
    with pytest.raises(InputError, match=r"nowhere://x: cannot be opened: .*nowhere"):
        score("nowhere://x", None, tmp_path / "out", metrics=("length",))
