"""Beam search."""

from captioning.decoding.decoded import DecodedCaptions
from captioning.decoding.diverse_beam import search_diverse_beams
from captioning.networks.network import State, Stepper


def search_beam(stepper: Stepper, state: State, *, n: int, max_words: int, size: int) -> DecodedCaptions:
    """Return the `n` most probable captions found with `size` hypotheses, the most probable one first.

    It is diverse beam search with a single group. An ended caption stays among the hypotheses until `size` others are
    more probable; there is no normalisation by length.

    Raises:
        CaptionerError: As for `search_diverse_beams`.
    """
    return search_diverse_beams(stepper, state, n=n, max_words=max_words, size=size, groups=1, diversity=0.0)
