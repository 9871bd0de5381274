import numpy as np
import pytest
import torch

from captioning.api import CaptionerError, ImageInput
from captioning.training.retrieval import MARGIN, RetrievalNetwork, RetrievalReward, contrast
from captioning.training.rewards import (
    CiderReward,
    SampledCaptions,
    SummedReward,
    TruthReward,
    count_frequencies,
    measure_kernels,
    rate_safely,
)
from metrics_plugins.text.vocabulary import Vocabulary
from tests.captioning.training.samples import WORDS, make_data

torch.set_num_threads(1)

DATA = make_data(with_worlds=True)
VOCABULARY = Vocabulary.count((line for lines in DATA.captions for line in lines), size=100)


def sample(lines, *, rows=None, is_complete=None):
    complete = np.ones((len(lines), len(lines[0])), dtype=np.bool_) if is_complete is None else np.array(is_complete)
    return SampledCaptions(np.arange(len(lines)) if rows is None else np.array(rows), lines, complete)


def test_cider_reward_equals_pycocoevalcap():
    from pycocoevalcap.cider.cider import Cider

    lines = tuple((DATA.captions[row][0], DATA.captions[(row + 1) % len(DATA)][1]) for row in range(len(DATA)))
    found = CiderReward.fit(DATA, counts_end=False).rate(sample(lines))
    for column in range(2):
        references = {row: list(DATA.captions[row]) for row in range(len(DATA))}
        candidates = {row: [lines[row][column]] for row in range(len(DATA))}
        expected = Cider().compute_score(references, candidates)[1]
        np.testing.assert_allclose(found[:, column], expected, atol=1e-9)
    assert found[:, 0].min() > 1


def test_end_counts_only_for_complete_captions():
    reward = CiderReward.fit(DATA, counts_end=True)
    line = DATA.captions[3][0]
    complete, cut = reward.rate(sample(((line, line),), rows=[3], is_complete=[[True, False]]))[0]
    assert complete > cut > 0


def test_kernels_are_symmetric_in_the_order_given_and_zero_for_empty_captions():
    lines = (("a red small thing", "", "there is a red thing that is small", "a red small thing"),)
    (kernel,) = measure_kernels(sample(lines), count_frequencies(DATA.captions))
    assert (kernel == kernel.T).all()
    assert kernel[0, 3] == pytest.approx(kernel[0, 0])
    assert not kernel[1].any()
    assert 0 < kernel[0, 2] < kernel[0, 0] <= 10
    assert np.linalg.eigvalsh(kernel).min() > -1e-9


def test_truth_and_sums_of_rewards():
    color = DATA.worlds[0].color
    captions = sample(((f"a {color} thing", "a pink thing", ""),))
    truth = TruthReward.fit(DATA)
    assert truth.rate(captions).tolist() == [[1.0, 0.0, 0.0]]
    assert SummedReward(truth, truth, 2.0).rate(captions).tolist() == [[3.0, 0.0, 0.0]]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (np.zeros((1, 3)), r"must give rewards of shape \(1, 2\), got \(1, 3\)"),
        (np.array([[0.0, np.nan]]), "finite rewards, got nan for 'b' of image 7"),
    ],
)
def test_wrong_rewards_are_errors(values, message):
    class Wrong:
        def rate(self, captions):
            return values

    with pytest.raises(CaptionerError, match=message):
        rate_safely(Wrong(), sample((("a", "b"),), rows=[7]))


def test_contrast_equals_its_definition_by_loops():
    rng = np.random.default_rng(0)
    images, captions = (vectors / np.linalg.norm(vectors, axis=1)[:, None] for vectors in rng.normal(size=(2, 5, 4)))
    similarity = images @ captions.T
    expected = []
    for i in range(5):
        others = [j for j in range(5) if j != i]
        rivals = (max(similarity[i, j] for j in others), max(similarity[j, i] for j in others))
        expected.append(sum(max(0.0, MARGIN + rival - similarity[i, i]) for rival in rivals))
    found = contrast(torch.from_numpy(images), torch.from_numpy(captions), torch.arange(5))
    np.testing.assert_allclose(found.numpy(), expected, atol=1e-12)


def test_pairs_of_the_same_image_are_not_distractors():
    units = torch.eye(3)[[0, 1, 2, 0]]
    assert contrast(units, units, torch.tensor([7, 8, 9, 7])).tolist() == [0.0] * 4
    assert contrast(units[:1], units[:1], torch.tensor([7])).tolist() == [0.0]
    assert contrast(units[[0, 0]], units[[0, 1]], torch.tensor([7, 7])).tolist() == [0.0] * 2


class OneHot(RetrievalNetwork):
    """Images by their colour, captions by the colours that they name."""

    def embed_images(self, images):
        return images.values[:, 0, : len(WORDS)]

    def embed_captions(self, ids):
        colors = torch.from_numpy(VOCABULARY.encode(WORDS, steps=2, long="cut").ids[:, 0])
        return (ids.unsqueeze(2) == colors).any(dim=1).float()


def test_retrieval_reward_is_twice_the_margin_minus_the_loss():
    network = OneHot(None, n_words=len(VOCABULARY), size=4)
    reward = RetrievalReward(network, DATA.images, ImageInput.FEATURES, VOCABULARY, 9, torch.device("cpu"))
    colors = [world.color for world in DATA.worlds]
    other = next(row for row, color in enumerate(colors) if color != colors[0])
    # An image that is twice in a batch, with perfect captions, and a caption that fits the other image.
    lines = tuple((f"a {colors[row]}", f"a {colors[other]}") for row in (0, other, 0))
    found = reward.rate(sample(lines, rows=[0, other, 0]))
    loss = MARGIN + 1.0 + MARGIN  # its own similarity is 0; the other image is at 1, and the other caption at 0
    np.testing.assert_allclose(found[:, 0], 2 * MARGIN, atol=1e-6)
    np.testing.assert_allclose(found[[0, 2], 1], 2 * MARGIN - loss, atol=1e-6)
