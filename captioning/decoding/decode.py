"""The entry to all methods of decoding."""

from collections.abc import Callable
from typing import Final

import torch

from captioning.api.decoding import Decoding, Method
from captioning.decoding.beam import search_beam
from captioning.decoding.decoded import DecodedCaptions, check_n
from captioning.decoding.diverse_beam import search_diverse_beams
from captioning.decoding.greedy import decode_greedily
from captioning.decoding.sampling import sample_captions
from captioning.networks.network import State, Stepper


def decode(
    stepper: Stepper, state: State, *, n: int = 1, decoding: Decoding, generator: torch.Generator
) -> DecodedCaptions:
    """Return `n` captions of each image.

    `<pad>`, `<unk>` and `<sos>` are never generated. A caption may be empty; one that reaches `decoding.max_words` is
    ended there (see `DecodedCaptions`).

    Args:
        stepper: Gives the probabilities of words.
        state: The state before `<sos>`, with one row for each image.
        n: 1 for `greedy`; at most the beam size for `beam` and `diverse-beam`.
        decoding: The method and its settings.
        generator: The source of randomness of `sample`, on the CPU.

    Raises:
        CaptionerError: `n` does not fit the decoding; the network gave NaN, in which case the message names the step;
            or fewer than `n` captions are possible.
    """
    return _METHODS[decoding.method](stepper, state, n, decoding, generator)


def _greedy(stepper: Stepper, state: State, n: int, decoding: Decoding, _: torch.Generator) -> DecodedCaptions:
    check_n(n, most=1, what="greedy decoding")
    return decode_greedily(stepper, state, max_words=decoding.max_words)


def _beam(stepper: Stepper, state: State, n: int, decoding: Decoding, _: torch.Generator) -> DecodedCaptions:
    return search_beam(stepper, state, n=n, max_words=decoding.max_words, size=decoding.beam_size)


def _diverse(stepper: Stepper, state: State, n: int, decoding: Decoding, _: torch.Generator) -> DecodedCaptions:
    return search_diverse_beams(
        stepper,
        state,
        n=n,
        max_words=decoding.max_words,
        size=decoding.beam_size,
        groups=decoding.groups,
        diversity=decoding.diversity,
    )


def _sample(stepper: Stepper, state: State, n: int, decoding: Decoding, generator: torch.Generator) -> DecodedCaptions:
    return sample_captions(
        stepper,
        state,
        n=n,
        max_words=decoding.max_words,
        temperature=decoding.temperature,
        top_k=decoding.top_k,
        top_p=decoding.top_p,
        generator=generator,
    )


_Decode = Callable[[Stepper, State, int, Decoding, torch.Generator], DecodedCaptions]

_METHODS: Final[dict[Method, _Decode]] = {
    "greedy": _greedy,
    "beam": _beam,
    "sample": _sample,
    "diverse-beam": _diverse,
}
