import numpy as np
import pytest
import torch
from scipy import stats

from captioning.api import CaptionerError, Decoding
from captioning.decoding.decode import decode
from captioning.decoding.decoded import DecodedCaptions
from captioning.decoding.sampling import draw, truncate
from captioning.decoding.scoring import score_captions, score_words
from captioning.networks.network import State, Stepper
from captioning.networks.settings import Architecture
from captioning.networks.targets import encode_captions, gather_words, shift
from metrics_plugins.text.vocabulary import END, PAD, START, UNKNOWN, Vocabulary
from tests.captioning.decoding.toy import CHOICES, N_WORDS, WORDS, ToyStepper, list_captions, strip
from tests.captioning.networks.samples import ARCHITECTURES, make_network, make_regions


def run(
    stepper: ToyStepper, decoding: Decoding | str, *, images: int = 3, n: int = 1, seed: int = 0
) -> DecodedCaptions:
    if isinstance(decoding, str):
        decoding = Decoding.parse(decoding)
    generator = torch.Generator().manual_seed(seed)
    return decode(stepper, stepper.begin(images), n=n, decoding=decoding, generator=generator)


def test_a_beam_as_wide_as_all_captions_is_exhaustive_search() -> None:
    stepper = ToyStepper(sharpness=2.0)
    n = 1 + 4 + 16 + 64
    decoded = run(stepper, "beam,beam_size=85,max_words=3", n=n)
    for image in range(3):
        expected = list_captions(stepper, image=image, max_words=3)
        ordered = sorted(expected, key=lambda caption: -expected[caption])
        assert [strip(row) for row in decoded.ids[image]] == ordered
        np.testing.assert_allclose(decoded.log_probabilities[image], [expected[each] for each in ordered], atol=1e-5)


def test_a_narrow_beam_keeps_the_best_extensions() -> None:
    stepper = ToyStepper(seed=3, sharpness=2.0)
    decoded = run(stepper, "beam,beam_size=3,max_words=4", n=3)
    for image in range(3):
        beam: dict[tuple[int, ...], float] = {(): 0.0}
        for _ in range(4):
            candidates = {}
            for prefix, score in beam.items():
                if prefix[-1:] == (END,):
                    candidates[prefix] = score
                    continue
                row = stepper.compute((image, START, *prefix))
                candidates |= {(*prefix, word): score + row[word] for word in CHOICES}
            best = sorted(candidates, key=lambda each: -candidates[each])[:3]
            beam = {each: candidates[each] for each in best}
        ended = {}
        for prefix, score in beam.items():
            done = prefix[-1:] == (END,)
            ended[prefix if done else (*prefix, END)] = (
                score if done else score + stepper.compute((image, START, *prefix))[END]
            )
        ordered = sorted(ended, key=lambda each: -ended[each])
        assert [strip(row) for row in decoded.ids[image]] == ordered
        np.testing.assert_allclose(decoded.log_probabilities[image], [ended[each] for each in ordered], atol=1e-5)


def test_greedy_decoding_is_a_beam_of_one() -> None:
    stepper = ToyStepper(seed=1)
    greedy = run(stepper, "greedy,max_words=5", images=20)
    beam = run(stepper, "beam,beam_size=1,max_words=5", images=20)
    assert torch.equal(greedy.ids, beam.ids)
    torch.testing.assert_close(greedy.word_log_probabilities, beam.word_log_probabilities)
    lengths = {len(strip(row[0])) for row in greedy.ids}
    assert len(lengths) > 2  # some end at once, some at the length
    assert greedy.is_cut[:, 0].tolist() == [len(strip(row[0])) == 6 for row in greedy.ids]
    for image in range(20):
        prefix: tuple[int, ...] = ()
        for word in strip(greedy.ids[image, 0])[:5]:
            row = stepper.compute((image, START, *prefix))
            assert word == max(CHOICES, key=lambda each: row[each])
            prefix = (*prefix, word)


def test_samples_are_as_frequent_as_they_are_probable() -> None:
    stepper = ToyStepper(seed=2)
    decoded = run(stepper, "sample,max_words=2", images=1, n=20_000)
    found = [strip(row) for row in decoded.ids[0]]
    exact = {}
    for caption in list_captions(stepper, image=0, max_words=2):
        probability = 1.0
        for position, word in enumerate(caption[:2]):  # an end after two words is no choice
            row = np.exp(stepper.compute((0, START, *caption[:position])))
            probability *= row[word] / row[list(CHOICES)].sum()
        exact[caption] = probability
    assert sum(exact.values()) == pytest.approx(1)
    observed = [found.count(caption) for caption in exact]
    assert stats.chisquare(observed, [20_000 * each for each in exact.values()]).pvalue > 0.01


def test_temperature_sharpens_samples() -> None:
    stepper = ToyStepper(seed=2)
    decoded = run(stepper, "sample,max_words=1,temperature=0.5", images=1, n=20_000)
    row = np.exp(2 * stepper.compute((0, START)))
    expected = row[list(CHOICES)] / row[list(CHOICES)].sum()
    observed = [int((decoded.ids[0, :, 0] == word).sum()) for word in CHOICES]
    assert stats.chisquare(observed, 20_000 * expected).pvalue > 0.01


def test_truncation_keeps_exactly_the_most_probable_words() -> None:
    probabilities = torch.tensor([[0.125, 0.5, 0.25, 0.125 - 1 / 64, 1 / 64], [0.0, 0.0, 1.0, 0.0, 0.0]])
    assert truncate(probabilities, top_k=2).ne(0).tolist() == [
        [False, True, True, False, False],
        [False, False, True, False, False],
    ]
    for top_p, kept in (
        (0.1, {1}),
        (0.5, {1}),
        (0.51, {1, 2}),
        (0.75, {1, 2}),
        (0.76, {0, 1, 2}),
        (1.0, set(range(5))),
    ):
        row = truncate(probabilities, top_p=top_p)[0]
        assert set(torch.nonzero(row)[:, 0].tolist()) == kept, top_p
        torch.testing.assert_close(row[row > 0], probabilities[0][row > 0])
    # After top-k the shares are 2/3 and 1/3.
    assert set(torch.nonzero(truncate(probabilities, top_k=2, top_p=0.66)[0])[:, 0].tolist()) == {1}
    assert set(torch.nonzero(truncate(probabilities, top_k=2, top_p=0.67)[0])[:, 0].tolist()) == {1, 2}


def test_truncated_samples_stay_in_the_support_and_fill_it() -> None:
    stepper = ToyStepper(seed=5)
    row = stepper.compute((0, START))
    ranked = sorted(CHOICES, key=lambda each: -row[each])
    decoded = run(stepper, "sample,max_words=1,top_k=2", images=1, n=500)
    assert set(decoded.ids[0, :, 0].tolist()) == set(ranked[:2])
    # What is returned is the probability that the network gives, not the truncated one.
    chosen = decoded.ids[0, :, 0]
    np.testing.assert_allclose(decoded.word_log_probabilities[0, :, 0], row[chosen], atol=1e-6)


def test_drawing_inverts_the_distribution_function() -> None:
    probabilities = torch.tensor([[0.0, 0.25, 0.0, 0.75, 0.0]])
    for number, word in ((0.0, 1), (0.2499, 1), (0.25, 3), (0.9999999, 3)):
        assert draw(probabilities, torch.tensor([number])).tolist() == [word]
    assert draw(2 * probabilities, torch.tensor([1.0])).tolist() == [3]


@pytest.mark.parametrize(("size", "groups", "diversity"), [(4, 4, 0.7), (6, 3, 0.4), (6, 2, 2.0), (3, 3, 0.0)])
def test_diverse_beam_search_follows_its_definition(size: int, groups: int, diversity: float) -> None:
    stepper = ToyStepper(seed=4, sharpness=1.5)
    decoded = run(
        stepper,
        Decoding(method="diverse-beam", beam_size=size, groups=groups, diversity=diversity, max_words=3),
        n=size,
    )
    for image in range(3):
        expected = search_slowly(
            stepper, image=image, each=size // groups, groups=groups, diversity=diversity, max_words=3
        )
        assert [strip(row) for row in decoded.ids[image]] == expected
        scores = score_by_steps(stepper, (torch.full((size, 1), image),), decoded.ids[image])
        torch.testing.assert_close(decoded.log_probabilities[image], scores, atol=1e-5, rtol=0)


@torch.no_grad()
def score_by_steps(stepper: Stepper, state: State, ids: torch.Tensor) -> torch.Tensor:
    """Return `(n,)`, float64, on the CPU: as `score_captions`, from a state, with one step after the other."""
    rows = []
    for words in shift(ids).unbind(dim=1):
        log_probabilities, state = stepper.step(words, state)
        rows.append(log_probabilities)
    return gather_words(torch.stack(rows, dim=1), ids).cpu().double().sum(dim=1)


def search_slowly(
    stepper: ToyStepper, *, image: int, each: int, groups: int, diversity: float, max_words: int
) -> list[tuple[int, ...]]:
    beams: list[list[tuple[float, tuple[int, ...]]]] = [[(0.0, ())] for _ in range(groups)]
    for _ in range(max_words):
        used: list[int] = []
        for group in range(groups):
            candidates = []
            for score, prefix in beams[group]:
                if prefix[-1:] == (END,):
                    candidates.append((score, prefix, False))
                    continue
                row = stepper.compute((image, START, *prefix))
                candidates += [
                    (score + row[word] - diversity * used.count(word), (*prefix, word), True) for word in CHOICES
                ]
            kept = sorted(candidates, key=lambda each: -each[0])[:each]
            beams[group] = [(score, prefix) for score, prefix, _ in kept]
            used += [prefix[-1] for _, prefix, is_new in kept if is_new]
    ranked = []
    for beam in beams:
        ended = [
            (score, prefix)
            if prefix[-1:] == (END,)
            else (score + stepper.compute((image, START, *prefix))[END], (*prefix, END))
            for score, prefix in beam
        ]
        ranked.append([prefix for _, prefix in sorted(ended, key=lambda each: -each[0])])
    return [ranked[group][rank] for rank in range(each) for group in range(groups)]


DECODINGS = (
    ("greedy,max_words=5", 1),
    ("beam,beam_size=4,max_words=5", 4),
    ("sample,max_words=5", 6),
    ("sample,max_words=5,temperature=0.5,top_k=3,top_p=0.9", 6),
    ("diverse-beam,beam_size=6,groups=3,max_words=5", 6),
)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize(("decoding", "n"), DECODINGS)
def test_log_probabilities_equal_those_of_scoring(architecture: Architecture, decoding: str, n: int) -> None:
    network = make_network(architecture, scale=3)
    with torch.no_grad():
        regions = network.encoder(make_regions(4))
    generator = torch.Generator().manual_seed(0)
    decoded = decode(
        network.decoder, network.decoder.begin(regions), n=n, decoding=Decoding.parse(decoding), generator=generator
    )
    rows = torch.arange(4).repeat_interleave(n)
    scores = score_captions(network.decoder, regions.take(rows), decoded.ids.flatten(0, 1))
    torch.testing.assert_close(decoded.log_probabilities.flatten(), scores, atol=1e-5, rtol=0)
    assert decoded.ids.shape == decoded.word_log_probabilities.shape == (4, n, 6)
    assert not torch.isin(decoded.ids, torch.tensor([UNKNOWN, START])).any()
    if not decoding.startswith(("sample", "diverse")):
        assert (decoded.log_probabilities.diff(dim=1) <= 1e-5).all()


def test_decoding_does_not_depend_on_the_batch() -> None:
    stepper = ToyStepper(seed=6)
    for text, n in DECODINGS:
        if text.startswith("sample"):
            continue
        together = run(stepper, text, images=3, n=n)
        alone = run(stepper, text, images=1, n=n)
        assert torch.equal(together.ids[:1], alone.ids)


def test_a_caption_may_be_empty_and_is_written_as_words() -> None:
    vocabulary = Vocabulary(WORDS)
    ids = torch.tensor([[[END, PAD, PAD], [4, 7, END]]])
    decoded = DecodedCaptions(ids=ids, word_log_probabilities=torch.zeros(1, 2, 3))
    assert decoded.write(vocabulary) == (("", "a d"),)
    assert decoded.is_cut.tolist() == [[False, True]]
    assert encode_captions(["", "a d", "b x"], vocabulary).tolist() == [[3, 0, 0], [4, 7, 3], [5, 1, 3]]


def test_scores_of_padded_captions_have_finite_gradients() -> None:
    network = make_network("lrcn-1u")
    ids = torch.tensor([[END, PAD, PAD], [4, 7, END], [UNKNOWN, END, PAD]])
    scores = score_words(network.decoder, network.encoder(make_regions()), ids)
    assert (scores[0, 1:] == 0).all()
    scores.sum().backward()
    assert all(bool(weight.grad.isfinite().all()) for weight in network.parameters() if weight.grad is not None)


class BrokenStepper(ToyStepper):
    def compute(self, prefix: tuple[int, ...]) -> np.ndarray:
        row = super().compute(prefix)
        if len(prefix) == 4 and prefix[0] == 1:
            row[:] = np.nan
        return row


@pytest.mark.parametrize("method", ["greedy", "sample", "beam", "diverse-beam"])
def test_nan_is_an_error_that_names_the_step(method: str) -> None:
    with pytest.raises(CaptionerError, match=r"the network gave NaN as log-probability of word 3, for \d+ of \d+"):
        run(BrokenStepper(seed=7, sharpness=0.1), f"{method},max_words=6")


class SilentStepper(ToyStepper):
    def compute(self, prefix: tuple[int, ...]) -> np.ndarray:
        row = np.full(N_WORDS, -np.inf)
        row[UNKNOWN] = 0.0
        return row


def test_a_network_that_knows_only_the_unknown_word_is_an_error() -> None:
    with pytest.raises(CaptionerError, match="gave probability 0 to all that can be word 1, for 3 of 3 captions"):
        run(SilentStepper(), "greedy")


def test_the_number_of_captions_must_fit_the_decoding() -> None:
    stepper = ToyStepper()
    with pytest.raises(CaptionerError, match="greedy decoding gives between 1 and 1 captions of an image, got n = 2"):
        run(stepper, "greedy", n=2)
    with pytest.raises(CaptionerError, match="a beam of 5 gives between 1 and 5 captions of an image, got n = 6"):
        run(stepper, "beam", n=6)
    with pytest.raises(CaptionerError, match="found only 5 possible captions of at most 1 words, not 6"):
        run(stepper, "beam,beam_size=6,max_words=1", n=6)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_decoding_in_bfloat16_gives_single_precision(architecture: Architecture) -> None:
    network = make_network(architecture)
    generator = torch.Generator().manual_seed(0)
    with torch.no_grad(), torch.autocast("cpu", dtype=torch.bfloat16):
        state = network.decoder.begin(network.encoder(make_regions()))
        for text, n in DECODINGS:
            decoded = decode(network.decoder, state, n=n, decoding=Decoding.parse(text), generator=generator)
            assert decoded.word_log_probabilities.dtype == torch.float32
            assert bool(decoded.word_log_probabilities.isfinite().all())
