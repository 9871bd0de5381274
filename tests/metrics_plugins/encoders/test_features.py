"""Tests of users' own features, which are looked up by the image's key."""

import pickle
from pathlib import Path

import numpy as np
import pytest

from metrics_plugins.api import MetricError
from metrics_plugins.api.providers import Encoder
from metrics_plugins.encoders.features import FeatureFile
from metrics_plugins.runtime import load_registry

VECTORS = {"cat": [1.0, 2.0], "dog": [3.0, 4.0], "7": [5.0, 6.0]}


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "x.npz"
    np.savez(path, keys=list(VECTORS), features=np.array(list(VECTORS.values())))
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "features"
    path.mkdir()
    for key, vector in VECTORS.items():
        np.save(path / f"{key}.npy", np.array(vector))
    return path


@pytest.mark.parametrize("kind", ["table", "folder"])
def test_by_key(kind: str, request: pytest.FixtureRequest) -> None:
    encoder = load_registry().get_encoder(f"features:{request.getfixturevalue(kind)}")

    vectors = encoder.encode(["dog", "7", "emu", "../dog", "dog"])

    assert isinstance(encoder, Encoder)
    assert encoder.dimension == 2
    np.testing.assert_array_equal(vectors, [[3, 4], [5, 6], [np.nan] * 2, [np.nan] * 2, [3, 4]])
    copy = pickle.loads(pickle.dumps(encoder))  # noqa: S301  what we wrote
    np.testing.assert_array_equal(copy.encode(["cat"]), [[1, 2]])


def test_digest_changes_with_content(table: Path, folder: Path) -> None:
    before = FeatureFile(table).digest, FeatureFile(folder).digest
    np.savez(table, keys=["cat"], features=np.ones((1, 2)))
    (folder / "7.npy").rename(folder / "8.npy")

    assert FeatureFile(table).digest != before[0]
    assert FeatureFile(folder).digest != before[1]


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"keys": ["a"]}, "must be .npz with the arrays 'keys' and 'features', got: "),
        ({"keys": ["a"], "features": np.ones(1)}, "'keys' must have shape (n,) and 'features' (n, dimension), got "),
        ({"keys": ["a", "b"], "features": np.ones((1, 2))}, "'keys' must have shape (n,) and "),
        ({"keys": ["a", "a"], "features": np.ones((2, 2))}, "'keys' must differ, got 1 of them again"),
        ({"keys": ["a"], "features": np.full((1, 2), np.nan)}, "'features' must be finite"),
    ],
)
def test_wrong_tables(arrays: dict, message: str, tmp_path: Path) -> None:
    path = tmp_path / "x.npz"
    np.savez(path, **arrays)

    with pytest.raises(MetricError) as caught:
        FeatureFile(path)

    assert str(caught.value).startswith(f"{path}: {message}")


def test_no_table(tmp_path: Path) -> None:
    for content in (None, b"", b"PK no zip"):
        path = tmp_path / "x.npz"
        if content is not None:
            path.write_bytes(content)

        with pytest.raises(MetricError, match=f"^{path}: must be .npz with the arrays 'keys' and 'features', got: "):
            FeatureFile(path)


def test_wrong_folders(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(MetricError, match=f"^{tmp_path}/empty: must hold files IMAGE_KEY.npy, got none$"):
        FeatureFile(tmp_path / "empty")

    np.save(folder / "long.npy", np.ones(3))
    (folder / "zero.npy").write_bytes(b"")
    encoder = FeatureFile(folder)
    with pytest.raises(MetricError, match=rf"^{folder}: 'long' must have 2 numbers, got \(3,\)$"):
        encoder.encode(["long"])
    with pytest.raises(MetricError, match=f"^{folder}/zero.npy: must be an array of NumPy, got: "):
        encoder.encode(["zero"])
