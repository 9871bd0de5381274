"""Greedy decoding: the most probable word at each step."""

import torch

from captioning.decoding.decoded import DecodedCaptions
from captioning.decoding.walking import walk
from captioning.networks.network import State, Stepper


def decode_greedily(stepper: Stepper, state: State, *, max_words: int) -> DecodedCaptions:
    """Return one caption of each image; ties go to the first word of the vocabulary."""
    return walk(stepper, state, n=1, max_words=max_words, choose=lambda allowed: torch.argmax(allowed, dim=1))
