"""Tests of the captioners that learn no network: templates, frequent captions and nearest neighbours."""

import itertools

import numpy as np
import pytest

from captioning.api import BadCheckpoint, CaptionedImages, CaptionerError, Images, Regions
from captioning.captioners.common_caption import CommonCaption
from captioning.captioners.nearest_neighbour import NearestNeighbour, make_units
from captioning.captioners.object_template import ObjectTemplate, fill_template
from captioning.captioners.plugin import CAPTIONERS
from captioning.runtime import CaptionerContext, load_captioners, run_captioner
from captioning.runtime.checks import check_captioner

CONTEXT = CaptionerContext()
CAPTIONS = (
    ("a cat on a mat", "a cat sleeps", "a cat"),
    ("a dog on a mat", "a dog", "a cat"),
    ("two birds fly", "birds in the sky", "a bird"),
    ("a cat", "a black cat on a red mat", "the cat sleeps"),
)
OBJECTS = (("cat", "mat"), ("dog", "mat"), ("bird", "sky"), ("cat", "mat", "tennis ball"))


def _make_data(captions=CAPTIONS) -> CaptionedImages:
    vectors = np.random.default_rng(0).normal(size=(len(captions), 6)).astype(np.float32)
    keys = tuple(f"im{row}" for row in range(len(captions)))
    images = Images(keys=keys, features=Regions.of_vectors(vectors), objects=OBJECTS[: len(captions)])
    return CaptionedImages(images, captions)


def _train(captioner_class, folder, **settings):
    data = _make_data()
    return captioner_class.train(
        data, data, folder=folder, rng=np.random.default_rng(0), context=CONTEXT, settings=settings
    )


def _run(captioner, images=None, n=1):
    return run_captioner(captioner, images or _make_data().images, n=n, rng=np.random.default_rng(0)).captions


def test_bundled_plugin_registers_them() -> None:
    registry = load_captioners(outside=False)
    expected = {"common-caption", "nearest-neighbour", "object-template", "transformers"}
    assert expected <= {each.info.id for each in CAPTIONERS}
    assert set(registry.captioners) == {each.info.id for each in CAPTIONERS}


@pytest.mark.parametrize("captioner_class", [CommonCaption, NearestNeighbour, ObjectTemplate])
def test_contract_is_kept(captioner_class, tmp_path) -> None:
    results = check_captioner(_train(captioner_class, tmp_path), _make_data().images)
    assert [str(each) for each in results if not each.passed] == []


@pytest.mark.parametrize("captioner_class", [CommonCaption, NearestNeighbour, ObjectTemplate])
def test_training_twice_gives_the_same_bytes(captioner_class, tmp_path) -> None:
    for name in ("one", "two"):
        _train(captioner_class, tmp_path / name)
    files = sorted(path.name for path in (tmp_path / "one").iterdir())
    assert files == sorted(path.name for path in (tmp_path / "two").iterdir())
    assert all((tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes() for name in files)


@pytest.mark.parametrize("captioner_class", [CommonCaption, NearestNeighbour, ObjectTemplate])
def test_damaged_folder_and_unknown_setting_are_refused(captioner_class, tmp_path) -> None:
    with pytest.raises(CaptionerError, match=f"captioner '{captioner_class.info.id}' has no setting 'size'"):
        _train(captioner_class, tmp_path / "a", size=3)
    (name,) = {"common-caption": ["kept"], "nearest-neighbour": ["neighbours"], "object-template": ["classes"]}[
        captioner_class.info.id
    ]
    with pytest.raises(CaptionerError, match=f"`{name}` of captioner .* whole number of at least 0, got -1"):
        _train(captioner_class, tmp_path / "a", **{name: -1})
    _train(captioner_class, tmp_path)
    (tmp_path / "learned.json").write_text("{}")
    with pytest.raises(BadCheckpoint, match=r"learned\.json: must be of the format"):
        captioner_class.build(CONTEXT, folder=tmp_path)
    (tmp_path / "learned.json").unlink()
    with pytest.raises(BadCheckpoint, match=r"learned\.json is not there \(`python -m captioning train` writes it\)"):
        captioner_class.build(CONTEXT, folder=tmp_path)


@pytest.mark.parametrize(
    ("objects", "caption"),
    [
        (["tennis ball", "court", "person"], "There is a tennis ball, court and person"),
        (["cat", "dog", "cat"], "There is a cat and dog"),
        (["apple"], "There is an apple"),
        ([], "There is nothing"),
    ],
)
def test_template_lists_each_object_once(objects, caption) -> None:
    assert fill_template(objects) == caption


def test_template_names_the_most_common_classes_of_training_images(tmp_path) -> None:
    # cat 2, mat 3; bird, dog, sky, tennis ball 1 each.
    assert _run(_train(ObjectTemplate, tmp_path / "3", classes=3)) == (
        ("There is a cat and mat",),
        ("There is a mat",),
        ("There is a bird",),
        ("There is a cat and mat",),
    )
    everything = ObjectTemplate.build(CONTEXT)
    assert _run(everything)[3] == ("There is a cat, mat and tennis ball",)
    assert _run(_train(ObjectTemplate, tmp_path / "0", classes=0)) == _run(everything)
    with pytest.raises(CaptionerError, match="writes one caption of an image, asked for 2"):
        _run(everything, n=2)


def test_common_captions_are_ordered_by_frequency_then_text(tmp_path) -> None:
    captioner = _train(CommonCaption, tmp_path, kept=3)
    # "a cat" three times; all others once.
    assert _run(captioner, n=3) == (("a cat", "a bird", "a black cat on a red mat"),) * 4
    with pytest.raises(CaptionerError, match="knows 3 captions, asked for 4"):
        _run(captioner, n=4)


def test_nearest_image_gives_its_captions_in_order(tmp_path) -> None:
    captioner = _train(NearestNeighbour, tmp_path)
    data = _make_data()
    moved = Images(keys=data.images.keys, features=Regions.of_vectors(data.images.features.values[:, 0] * 3 + 0.01))
    assert _run(captioner, moved, n=2) == tuple(row[:2] for row in CAPTIONS)
    with pytest.raises(CaptionerError, match=r"image 'im0': .* have 3 different captions, asked for 4"):
        _run(captioner, moved, n=4)
    with pytest.raises(CaptionerError, match="trained on features of 6 numbers, got 2"):
        _run(captioner, Images(keys=("a",), features=Regions.of_vectors(np.ones((1, 2), np.float32))))


def test_similarity_is_the_cosine_of_mean_vectors_of_existing_regions() -> None:
    values = np.zeros((2, 3, 2), np.float32)
    values[0, :2] = [[3, 0], [0, 4]]
    values[1, :1] = [[0, 0]]
    units = make_units(Regions(values, np.array([2, 1])))
    np.testing.assert_allclose(units, [[0.6, 0.8], [0, 0]], rtol=1e-6)


@pytest.mark.parametrize("others", [1, 2, 125])
def test_consensus_is_the_best_mean_cider_over_subsets_of_others(tmp_path, others: int) -> None:
    captioner = _train(NearestNeighbour, tmp_path, neighbours=3, others=others)
    data = _make_data()
    vectors = data.images.features.values[:, 0]
    units = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    for row in range(len(data)):
        nearest = sorted(range(len(data)), key=lambda other: -float(units[row] @ units[other]))[:3]
        pool = [caption for near in nearest for caption in CAPTIONS[near]]
        cider = _measure_cider(pool)
        m = min(others, len(pool) - 1)
        best = []
        for place in range(len(pool)):
            rest = [cider[place, other] for other in range(len(pool)) if other != place]
            best.append(max(np.mean(subset) for subset in itertools.combinations(rest, m)))
        order = sorted(range(len(pool)), key=lambda place: -round(best[place], 9))
        expected = tuple(dict.fromkeys(pool[place] for place in order))
        assert _run(captioner, data.images.select([row]), n=3) == (expected[:3],)


def _measure_cider(pool):
    """Return plain CIDEr of each pair, written out: mean over orders of the cosine of tf-idf vectors, times 10."""

    def count(text, order):
        words = text.split()
        grams = [tuple(words[start : start + order]) for start in range(len(words) - order + 1)]
        return {gram: grams.count(gram) for gram in grams}

    def weigh(text, order):
        weights = {}
        for gram, tf in count(text, order).items():
            n_images = sum(any(gram in count(each, order) for each in row) for row in CAPTIONS)
            weights[gram] = tf * (np.log(len(CAPTIONS)) - np.log(max(n_images, 1)))
        return weights

    found = np.zeros((len(pool), len(pool)))
    for order in range(1, 5):
        vectors = [weigh(text, order) for text in pool]
        norms = [np.sqrt(sum(value**2 for value in vector.values())) for vector in vectors]
        for i, j in itertools.product(range(len(pool)), repeat=2):
            if norms[i] and norms[j]:
                shared = sum(value * vectors[j].get(gram, 0) for gram, value in vectors[i].items())
                found[i, j] += shared / (norms[i] * norms[j]) * 10 / 4
    return found
