"""Tests of the positive and negative examples of a critic."""

from collections import Counter

import numpy as np
import pytest

from metrics_plugins.api import Batch, MetricError
from metrics_plugins.metrics.critics.lstm.model.captions import TrainingCaptions
from metrics_plugins.metrics.critics.lstm.model.settings import CriticSettings
from metrics_plugins.metrics.critics.lstm.training.examples import Examples, ExampleSource, leave_out_faultless
from metrics_plugins.runtime import load_registry
from tests.metrics_plugins.metrics.critics.lstm.tiny import make_captions

WORDS = ("a", "dog", "beach", "street", "horse")


def draw(captions: TrainingCaptions, *, n_passes: int = 40, **settings: object) -> list[Examples]:
    source = ExampleSource(captions, CriticSettings(**settings), words=WORDS)
    return [source.draw(np.random.default_rng(seed)) for seed in range(n_passes)]


def test_references_and_human_captions_are_two_of_the_image() -> None:
    captions = make_captions()
    for examples in draw(captions, n_passes=3):
        rows = zip(examples.images, examples.references, examples.humans, strict=True)
        for image, reference, human in rows:
            assert reference != human
            assert {reference, human} <= set(captions.humans[image])
        assert sorted(examples.images) == list(range(24))


def test_sources_of_wrong_captions_have_equal_chances() -> None:
    drawn = Counter(kind for examples in draw(make_captions(), n_passes=100) for kind in examples.kinds)

    # 2,400 draws: half from the machine, a sixth for each way to ruin; five standard deviations are 122 and 91.
    assert drawn["machine"] == pytest.approx(1200, abs=122)
    assert [drawn[kind] for kind in ("rc", "wp", "rw")] == pytest.approx([400] * 3, abs=91)


def test_sampled_captions_are_a_third_source() -> None:
    captions = make_captions()
    samples = dict.fromkeys(captions.image_ids, ("a sampled caption",))
    batch = Batch.make(
        captions.image_ids, candidates=["a machine"] * 24, references=[list(lines) for lines in captions.humans]
    )
    gathered = TrainingCaptions.gather(batch, load_registry().get_tokenizer("nltk-words"), samples=samples)

    drawn = draw(gathered, n_passes=100)

    counted = Counter(kind for examples in drawn for kind in examples.kinds)
    assert [counted["machine"], counted["sampled"]] == pytest.approx([800, 800], abs=115)
    wrongs = {wrong for each in drawn for kind, wrong in zip(each.kinds, each.wrongs, strict=True) if kind == "sampled"}
    assert wrongs == {"a sampled caption"}


def test_wrong_captions_are_of_their_kind() -> None:
    captions = make_captions()
    for examples in draw(captions):
        for image, kind, wrong in zip(examples.images, examples.kinds, examples.wrongs, strict=True):
            own = captions.humans[image]
            words = Counter(wrong.split())
            if kind == "machine":
                assert wrong in captions.machines[image]
            elif kind == "rc":
                assert any(wrong in lines for row, lines in enumerate(captions.humans) if row != image)
            elif kind == "wp":
                assert words in [Counter(line.split()) for line in own]
            else:
                n_same = [sum((words & Counter(line.split())).values()) for line in own]
                assert len(wrong.split()) in {len(line.split()) for line in own}
                assert max(n_same) < len(wrong.split())


def test_only_wanted_kinds_are_drawn() -> None:
    assert {kind for examples in draw(make_captions(), negatives="rc") for kind in examples.kinds} == {"rc"}
    assert {kind for each in draw(make_captions(), negatives="machine+wp") for kind in each.kinds} == {"machine", "wp"}


def test_images_without_machine_captions_have_ruined_ones() -> None:
    captions = make_captions()
    lacking = TrainingCaptions(
        captions.image_ids, captions.humans, ((),) * 12 + captions.machines[12:], captions.samples
    )
    for examples in draw(lacking, n_passes=10):
        kinds = [kind for image, kind in zip(examples.images, examples.kinds, strict=True) if image < 12]
        assert "machine" not in kinds


def test_full_strength_ruins_every_word() -> None:
    for examples in draw(make_captions(), negatives="rw", gamma=1.0, n_passes=5):
        assert {word for wrong in examples.wrongs for word in wrong.split()} <= set(WORDS)


def test_least_strength_ruins_one_word_or_the_order_of_two() -> None:
    captions = make_captions()
    for examples in draw(captions, negatives="wp+rw", gamma=0.01, n_passes=10):
        for image, kind, wrong in zip(examples.images, examples.kinds, examples.wrongs, strict=True):
            own = [line.split() for line in captions.humans[image]]
            n_changed = [
                sum(left != right for left, right in zip(line, wrong.split(), strict=True))
                for line in own
                if len(line) == len(wrong.split())
            ]
            assert min(n_changed) in ((0, 2) if kind == "wp" else (1,))


def test_captions_of_images_alike_are_of_the_nearest_share() -> None:
    humans = (
        ("a dog runs", "the dog"),
        ("a dog sits", "dog"),
        ("two buses", "a bus stop"),
        ("the red bus stop", "bus"),
    )
    captions = TrainingCaptions(("0", "1", "2", "3"), humans, ((),) * 4, ((),) * 4)

    drawn = draw(captions, negatives="near", gamma=0.1)

    # One tenth of three other images is less than one, so only the nearest is drawn from: dogs 0 and 1, buses 2 and 3.
    nearest = {0: 1, 1: 0, 2: 3, 3: 2}
    pairs = [(image, wrong) for each in drawn for image, wrong in zip(each.images, each.wrongs, strict=True)]
    assert all(wrong in humans[nearest[image]] for image, wrong in pairs)
    assert len({wrong for _, wrong in pairs}) == 8


def test_same_generator_draws_the_same() -> None:
    first, second = (draw(make_captions(), n_passes=1)[0] for _ in range(2))

    assert [first.images.tolist(), first.references, first.humans, first.wrongs, first.kinds] == [
        second.images.tolist(),
        second.references,
        second.humans,
        second.wrongs,
        second.kinds,
    ]


def test_images_without_a_wrong_caption_are_left_out() -> None:
    captions = make_captions()
    lacking = TrainingCaptions(
        captions.image_ids, captions.humans, ((),) * 12 + captions.machines[12:], captions.samples
    )

    assert leave_out_faultless(lacking, CriticSettings(negatives="machine")).image_ids == captions.image_ids[12:]
    assert len(leave_out_faultless(lacking, CriticSettings(negatives="machine+rc"))) == 24


def test_training_without_negative_examples_is_refused() -> None:
    captions = make_captions()
    without = TrainingCaptions(captions.image_ids, captions.humans, captions.samples, captions.samples)

    with pytest.raises(MetricError, match="are 'machine', and none of 24 images has such a caption"):
        leave_out_faultless(without, CriticSettings(negatives="machine"))


def test_a_single_image_has_no_other_captions() -> None:
    with pytest.raises(MetricError, match=r"cannot ruin captions by 'rc': that takes two images .* got 1 and 5"):
        ExampleSource(make_captions(1), CriticSettings(negatives="rc"), words=WORDS)
