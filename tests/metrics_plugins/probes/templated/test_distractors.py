import numpy as np
import pytest

from metrics_plugins.api import Batch
from metrics_plugins.probes.errors import ProbeError
from metrics_plugins.probes.templated.distractors import (
    CentralCaption,
    FrequentCaption,
    find_central_caption,
    find_frequent_captions,
)
from metrics_plugins.runtime import load_registry, run_metric

CAPTIONS = ["A dog runs.", "a dog runs", "a cat", "A CAT !", "the sun shines", "...", "a man rides a wave"]


def test_frequent_captions_are_counted_as_tokens():
    assert find_frequent_captions(CAPTIONS, n=3) == (
        FrequentCaption("a cat", 2),
        FrequentCaption("a dog runs", 2),
        FrequentCaption("a man rides a wave", 1),
    )
    assert len(find_frequent_captions(CAPTIONS, n=99)) == 4
    assert find_frequent_captions(CAPTIONS, n=0) == ()


def test_likeness_is_the_mean_plain_cider_with_every_other_caption():
    captions = ["a dog runs in the snow", "a dog runs", "a brown dog in the snow", "two men talk", "a dog runs"]
    found = find_central_caption(captions)

    # The metric `cider`, fitted on these captions as documents, scores each against each other one.
    documents = Batch.make([str(n) for n in range(5)], references=[[caption] for caption in captions])
    likeness = {}
    for place, caption in enumerate(captions):
        others = captions[:place] + captions[place + 1 :]
        batch = Batch.make(
            [str(n) for n in range(4)], candidates=[caption] * 4, references=[[other] for other in others]
        )
        run = run_metric(load_registry().build("cider"), batch, fit_batch=documents, rng=np.random.default_rng(0))
        likeness[caption] = run.corpus / 10
    best = max(likeness, key=likeness.get)
    assert found.caption == best
    assert found.likeness == pytest.approx(likeness[best])


def test_equally_central_captions_are_told_apart_by_the_alphabet():
    found = find_central_caption(["b c", "a d"])

    assert (found.caption, found.likeness) == ("a d", pytest.approx(0, abs=1e-12))


def test_captions_that_are_all_the_same_have_no_rare_word():
    assert find_central_caption(["a dog", "a dog"]) == CentralCaption("a dog", 0.0)


def test_too_few_captions():
    with pytest.raises(ProbeError, match="at least 2 captions with words, got 1"):
        find_central_caption(["a dog", "..."])
