"""Tests of reading images: pictures, pixels, features, regions and objects, and what is wrong with their files."""

import json

import numpy as np
import pytest
from PIL import Image

from captioning.readers import ImageSources, read_captioned, read_images
from captioning.readers.errors import BadImageFile
from captioning.readers.feature_files import MOST_REGIONS, read_regions
from captioning.readers.objects import read_objects
from captioning.readers.pictures import list_pictures, read_pixels

RNG = np.random.default_rng(0)
PIXELS = RNG.integers(0, 255, (2, 8, 8, 3), dtype=np.uint8)


@pytest.fixture
def pictures(tmp_path):
    folder = tmp_path / "pictures"
    folder.mkdir()
    for name, pixels in zip(("b.png", "a.png"), PIXELS, strict=True):
        Image.fromarray(pixels).save(folder / name)
    (folder / "notes.txt").write_text("not a picture")
    return folder


def test_pictures_are_found_by_key_and_pixels_of_the_size_are_unchanged(pictures) -> None:
    images = read_images(ImageSources(pictures=pictures, size=8))
    assert images.keys == ("a", "b")
    assert images.files == (pictures / "a.png", pictures / "b.png")
    np.testing.assert_array_equal(images.pixels, PIXELS[::-1])
    assert read_pixels([pictures / "a.png"], size=4).shape == (1, 4, 4, 3)


def test_columns_of_several_sources_are_matched_by_key(pictures, tmp_path) -> None:
    vectors = RNG.normal(size=(3, 5)).astype(np.float32)
    np.savez(tmp_path / "f.npz", keys=np.array(["c", "b", "a"]), features=vectors)
    (tmp_path / "o.json").write_text(json.dumps({"b": ["cat"], "a": [], "z": ["dog"]}))
    sources = ImageSources(pictures=pictures, features=tmp_path / "f.npz", objects=tmp_path / "o.json")
    images = read_images(sources)
    np.testing.assert_array_equal(images.features.values[:, 0], vectors[[2, 1]])
    assert images.objects == ((), ("cat",))
    with pytest.raises(BadImageFile, match="pictures: lacks 1 of 2 images, such as 'z'"):
        read_images(sources, keys=["a", "z"])
    assert read_images(ImageSources(features=tmp_path / "f.npz")).keys == ("c", "b", "a")
    assert read_images(ImageSources(objects=tmp_path / "o.json")).keys == ("b", "a", "z")


def test_regions_of_a_folder_and_of_a_table_are_the_same(tmp_path) -> None:
    own = {"a": RNG.normal(size=(3, 4)), "b": RNG.normal(size=(10, 4)), "c": RNG.normal(size=4)}
    folder = tmp_path / "regions"
    folder.mkdir()
    for key, array in own.items():
        np.save(folder / f"{key}.npy", array)
    counts = np.array([3, 10, 1])
    flat = np.concatenate([np.atleast_2d(array) for array in own.values()])
    np.savez(tmp_path / "r.npz", keys=np.array(list(own)), features=flat, counts=counts)

    for path in (folder, tmp_path / "r.npz"):
        regions = read_regions(path, ["b", "c", "a", "b"])
        assert regions.counts.tolist() == [10, 1, 3, 10]
        assert regions.values.shape == (4, 10, 4)
        np.testing.assert_array_equal(regions.values[2, :3], own["a"].astype(np.float32))
        assert not regions.values[2, 3:].any()
        np.testing.assert_array_equal(regions.values[0], regions.values[3])


def test_grid_of_equal_regions_is_read(tmp_path) -> None:
    values = RNG.normal(size=(2, 7, 3)).astype(np.float32)
    np.savez(tmp_path / "g.npz", keys=np.array(["a", "b"]), features=values)
    np.testing.assert_array_equal(read_regions(tmp_path / "g.npz", ["a", "b"]).values, values)


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"keys": ["a"]}, "must have the arrays 'keys' and 'features', got keys"),
        ({"keys": ["a", "a"], "features": np.ones((2, 3))}, "'keys' must differ, got 1 of them again"),
        ({"keys": ["a", "b"], "features": np.ones((3, 3))}, "must have a row for each of 2 keys, got 3"),
        ({"keys": ["a"], "features": np.array([[np.nan]])}, "'a': features must be finite"),
        (
            {"keys": ["a"], "features": np.ones((1, 2, 3, 4))},
            r"'a': must be a vector .* got float64 of shape \(2, 3, 4\)",
        ),
        (
            {"keys": ["a"], "features": np.ones((1, MOST_REGIONS + 1, 1))},
            "'a': must have at most 1000 regions, got 1001",
        ),
        (
            {"keys": ["a", "b"], "features": np.ones((3, 2)), "counts": np.array([3, 0])},
            r"'counts' must be 2 numbers of at least 1 with the sum 3",
        ),
        ({"keys": ["b"], "features": np.ones((1, 2))}, "has no features of 1 of 1 images, such as 'a'"),
        ({"keys": ["a"], "features": np.array(["x"])}, "'a': must be a vector of numbers"),
        ({"keys": ["a"], "features": np.array([[1j]])}, "'a': must be a vector of numbers.* got complex128"),
        ({"keys": ["a"], "features": 1.0}, "'features' must have a row for each of 1 keys, got a single value"),
        ({"keys": "a", "features": np.ones((1, 2))}, r"'keys' must be of shape \(n,\), got \(\)"),
        ({"keys": [["a", "b"]], "features": np.ones((1, 2))}, r"'keys' must be of shape \(n,\), got \(1, 2\)"),
        (
            {"keys": ["a", "b"], "features": np.ones((3, 2)), "counts": [1.5, 1.5]},
            "'counts' must be whole numbers, got float64",
        ),
        ({"keys": ["a"], "features": np.ones((1, 2)), "counts": ["1"]}, "'counts' must be whole numbers, got <U1"),
        ({"keys": ["a"], "features": np.ones((1, 2)), "counts": 1}, r"'counts' must be 1 numbers .* got \(\) with"),
    ],
)
def test_invalid_table_is_refused(tmp_path, arrays, message) -> None:
    np.savez(tmp_path / "f.npz", **{name: np.array(value) for name, value in arrays.items()})
    with pytest.raises(BadImageFile, match=message):
        read_regions(tmp_path / "f.npz", ["a"])


def test_invalid_folders_are_refused(tmp_path) -> None:
    (tmp_path / "outside.npy").write_bytes(b"x")
    folder = tmp_path / "f"
    folder.mkdir()
    np.save(folder / "a.npy", np.ones(3))
    np.save(folder / "b.npy", np.ones(4))
    with pytest.raises(BadImageFile, match=r"same length, got 3 \('a'\) and 4 \('b'\)"):
        read_regions(folder, ["a", "b"])
    with pytest.raises(BadImageFile, match=r"no features of 1 of 1 images, such as '\.\./outside'"):
        read_regions(folder, ["../outside"])
    np.save(folder / "p.npy", np.array([{}], dtype=object), allow_pickle=True)
    with pytest.raises(BadImageFile, match=r"p\.npy: must be an array of NumPy"):
        read_regions(folder, ["p"])
    with (folder / "z.npy").open("wb") as file:
        np.savez(file, a=np.ones(3))
    with pytest.raises(BadImageFile, match=r"z\.npy: must be an array of NumPy, got an archive"):
        read_regions(folder, ["z"])
    (tmp_path / "t.npz").write_text("text")
    with pytest.raises(BadImageFile, match=r"must be \.npz"):
        read_regions(tmp_path / "t.npz", ["a"])
    with pytest.raises(BadImageFile, match="must be a folder of pictures"):
        list_pictures(tmp_path / "absent")
    with pytest.raises(BadImageFile, match="must have pictures"):
        list_pictures(folder)


def test_unreadable_and_ambiguous_pictures_are_refused(pictures) -> None:
    (pictures / "c.png").write_text("text")
    with pytest.raises(BadImageFile, match=r"c\.png: cannot be read as a picture"):
        read_images(ImageSources(pictures=pictures, size=8))
    (pictures / "a.jpg").write_text("text")
    with pytest.raises(BadImageFile, match=r"own key, got a\.jpg and a\.png"):
        list_pictures(pictures)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "must be JSON"),
        ("[]", "must be an object with a list of names"),
        ('{"a": "cat"}', "image 'a': must be a list of names that are not empty, got 'cat'"),
        ('{"a": ["cat", ""]}', "image 'a': must be a list of names that are not empty"),
    ],
)
def test_invalid_objects_are_refused(tmp_path, content, message) -> None:
    (tmp_path / "o.json").write_text(content)
    with pytest.raises(BadImageFile, match=message):
        read_objects(tmp_path / "o.json")


def test_sources_must_be_given(pictures) -> None:
    with pytest.raises(BadImageFile, match="images must be given"):
        read_images(ImageSources())
    with pytest.raises(BadImageFile, match="pixels are read from pictures"):
        read_images(ImageSources(size=8), keys=[])


def test_captions_are_tokenized_and_empty_ones_left_out(tmp_path) -> None:
    records = [("7", "A cat, on a mat."), ("7", "..."), ("8", "!"), ("9", "Two dogs")]
    rows = [{"image_id": int(key), "caption": text} for key, text in records]
    (tmp_path / "c.json").write_text(json.dumps(rows))
    data = read_captioned(str(tmp_path / "c.json"), ImageSources(), note="mine")
    assert data.images.keys == ("7", "9")
    assert data.captions == (("a cat on a mat",), ("two dogs",))
    assert data.note == "mine"
    (tmp_path / "e.json").write_text(json.dumps(rows[1:3]))
    with pytest.raises(BadImageFile, match="must have captions with words"):
        read_captioned(str(tmp_path / "e.json"), ImageSources())
