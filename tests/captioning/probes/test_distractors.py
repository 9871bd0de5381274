"""Tests of the distractor probe with a captioner whose probabilities are known."""

import json

import numpy as np
import pytest

from captioning.api import (
    CaptionBatch,
    CaptionedImages,
    Captioner,
    CaptionerError,
    CaptionerInfo,
    CaptionScores,
    ImageInput,
    Images,
)
from captioning.probes.distractors import Distractor, probe_distractors
from captioning.probes.distractors_report import format_distractors, print_distractors

DOG, BUS, SKY = "a dog on the grass", "a bus on the street", "a view of the sky"
TRAINING = ["A dog on the grass.", BUS, DOG, SKY, BUS, DOG, "a cat", SKY, DOG]


class TabledCaptioner(Captioner):
    """Gives each word of a caption the same log-probability, by image and caption; -2 where none is given."""

    info = CaptionerInfo(id="tabled", title="Tabled", inputs=frozenset(), version="1", citation="none", can_score=True)

    def __init__(self, means: dict[tuple[str, str], float]) -> None:
        self.means = means

    def caption(self, images: Images, **_: object) -> CaptionBatch:
        raise NotImplementedError

    def score(self, images: Images, captions: object) -> CaptionScores:
        assert isinstance(captions, list)
        pairs = list(zip(images.keys, captions, strict=True))
        steps = np.array([len(caption.split()) + 1 for _, caption in pairs])
        return CaptionScores(np.array([self.means.get(pair, -2.0) for pair in pairs]) * steps, steps)


def _make_data(**images: tuple[str, ...]) -> CaptionedImages:
    return CaptionedImages(Images(keys=tuple(images)), tuple(images.values()), note="text-conditioned")


def _probe(means: dict[tuple[str, str], float], data: CaptionedImages, **options: int):  # type: ignore[no-untyped-def]
    return probe_distractors(TabledCaptioner(means), data, training_captions=TRAINING, **options)


def test_only_distractors_that_name_an_absent_object_count() -> None:
    data = _make_data(
        # The sky is no category of objects, so that this distractor is never wrong.
        dog=("a dog runs", "a puppy in a field"),
        bus=("a bus", "a red bus stops"),
        both=("a dog in a bus", "a bus"),
    )
    every = {(key, caption): -0.5 for key in data.images.keys for caption in (DOG, BUS, SKY)}

    report = _probe(every, data, n_distractors=3)

    assert report.distractors == (
        Distractor(DOG, n_training=4, n_kept=1, n_preferred=(1, 1)),
        Distractor(BUS, n_training=2, n_kept=1, n_preferred=(1, 1)),
        Distractor(SKY, n_training=2, n_kept=0, n_preferred=(0, 0)),
    )
    assert (report.n_images, report.n_probed, report.n_fooled) == (3, 2, (2, 2))
    assert report.get_share("mean") == pytest.approx(2 / 3)
    low, high = report.get_interval("mean")
    assert 0 < low < 2 / 3 < high < 1


def test_known_objects_are_in_the_image() -> None:
    data = _make_data(dog=("a dog runs",))
    given = CaptionedImages(Images(keys=("dog",), objects=(("bus",),)), data.captions)

    assert _probe({}, data, n_distractors=2).n_probed == 1
    assert _probe({}, given, n_distractors=2).n_probed == 0


def test_one_human_caption_below_a_distractor_is_enough() -> None:
    data = _make_data(dog=("a dog runs", "a strange animal"))

    likely, unlikely = ("dog", "a dog runs"), ("dog", "a strange animal")
    assert _probe({("dog", BUS): -1.0, likely: -0.5, unlikely: -1.1}, data).n_fooled[0] == 1
    assert _probe({("dog", BUS): -1.0, likely: -0.5, unlikely: -0.9}, data).n_fooled[0] == 0
    # Equal probabilities count for the human caption.
    assert _probe({("dog", BUS): -1.0, likely: -0.5, unlikely: -1.0}, data).n_fooled[0] == 0


def test_mean_and_sum_differ_for_captions_of_different_lengths() -> None:
    """The distractor has 5 words, the human caption 3: 6 steps against 4."""
    data = _make_data(dog=("a dog runs",))

    # Means -1 > -1.2, sums -6 < -4.8.
    assert _probe({("dog", BUS): -1.0, ("dog", "a dog runs"): -1.2}, data).n_fooled == (1, 0)
    # Sums -6 > -8 too.
    assert _probe({("dog", BUS): -1.0, ("dog", "a dog runs"): -2.0}, data).n_fooled == (1, 1)


def test_images_are_probed_in_parts_without_mixing_them() -> None:
    images = {f"im{number}": ("a dog runs", "a dog") if number % 3 else ("a cat", "the cat") for number in range(200)}
    means = {(key, BUS): -1.0 if number % 2 else -3.0 for number, key in enumerate(images)}

    report = _probe(means, _make_data(**images), n_distractors=2)

    assert report.n_images == report.n_probed == 200
    assert report.n_fooled[0] == 100


class KnowingCaptioner(TabledCaptioner):
    """Knows all words but "quokka" and "street"."""

    def score(self, images: Images, captions: object) -> CaptionScores:
        assert isinstance(captions, list)
        scores = super().score(images, captions)
        unknown = {"quokka", "street"}
        counts = np.array([sum(word in unknown for word in caption.split()) for caption in captions])
        return CaptionScores(scores.log_probabilities, scores.n_steps, counts)


def test_captions_with_unknown_words_are_left_out_of_a_second_share() -> None:
    data = _make_data(
        # The distractor beats the caption with the unknown word only.
        first=("a bird", "a quokka flies"),
        # It beats another one too.
        second=("a bird", "a quokka flies", "a strange animal"),
        # Nothing is left to compare with.
        third=("a quokka flies", "the quokka"),
        # The only distractor that is more likely has an unknown word.
        fourth=("a bird",),
    )
    means = {(key, "a bird"): -0.5 for key in data.images.keys}
    means |= {(key, DOG): -1.0 for key in ("first", "second", "third")} | {("fourth", BUS): -0.1}
    report = probe_distractors(KnowingCaptioner(means), data, training_captions=TRAINING, n_distractors=2)

    assert (report.n_images, report.n_fooled[0]) == (4, 4)
    assert report.known_words is not None
    assert (report.known_words.n_affected, report.known_words.n_images) == (3, 3)
    assert report.known_words.n_fooled[0] == 1
    assert report.known_words.get_share("mean") == pytest.approx(1 / 3)
    text = print_distractors(report)
    assert "3 images have a human caption with a word outside the captioner's vocabulary" in text
    assert "| share without captions with unknown words | images |" in text
    stored = json.loads(format_distractors(report))
    assert stored["known_words"]["n_fooled"]["mean"] == 1
    assert stored["known_words"]["share_of_images"]["mean"] == pytest.approx(1 / 3)
    assert _probe(means, data, n_distractors=2).known_words is None


def test_captioners_without_probabilities_and_empty_training_sets_are_refused() -> None:
    class Silent(TabledCaptioner):
        info = CaptionerInfo(
            id="silent", title="Silent", inputs=frozenset({ImageInput.OBJECTS}), version="1", citation="none"
        )

    data = _make_data(dog=("a dog runs",))
    with pytest.raises(CaptionerError, match="'silent' gives no probabilities"):
        probe_distractors(Silent({}), data, training_captions=TRAINING)
    with pytest.raises(CaptionerError, match="needs training captions, got none"):
        probe_distractors(TabledCaptioner({}), data, training_captions=["..."])
    with pytest.raises(CaptionerError, match="needs images, got none"):
        _probe({}, _make_data())


def test_a_captioner_that_knows_no_human_caption_has_no_second_share() -> None:
    report = probe_distractors(KnowingCaptioner({}), _make_data(one=("a quokka",)), training_captions=TRAINING)

    assert report.known_words is not None
    assert (report.known_words.n_affected, report.known_words.n_images) == (1, 0)
    assert np.isnan(report.known_words.get_share("mean"))
    text = print_distractors(report)
    assert "0 images have a human caption to compare with" in text
    assert "nan" not in text
    assert json.loads(format_distractors(report))["known_words"]["share_of_images"]["mean"] is None


def test_reports_say_what_was_compared() -> None:
    report = _probe({("dog", BUS): -1.0}, _make_data(dog=("a dog runs",)), n_distractors=2)

    text = print_distractors(report)
    assert "text-conditioned" in text
    assert "objects that people name" in text
    assert f"| {BUS} | 2 | 1 | 1 | 1 |" in text
    assert '"share_of_images"' in format_distractors(report)
