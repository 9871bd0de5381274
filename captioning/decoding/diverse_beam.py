"""Diverse beam search: groups of hypotheses that avoid each other's words."""

import torch
from torch import Tensor

from captioning.api.errors import CaptionerError
from captioning.decoding.decoded import DecodedCaptions, check_n, check_step
from captioning.decoding.hypotheses import Hypotheses
from captioning.networks.network import State, Stepper, take_state
from metrics_plugins.text.vocabulary import PAD, START


@torch.no_grad()
def search_diverse_beams(
    stepper: Stepper, state: State, *, n: int, max_words: int, size: int, groups: int, diversity: float
) -> DecodedCaptions:
    """Return `n` captions of each image by diverse beam search with the Hamming diversity (Vijayakumar et al. 2018).

    At each step the groups are extended one after the other, each by beam search. The score of a word (or of the end)
    is its log-probability minus `diversity` times the number of hypotheses of earlier groups that were extended by the
    same word at this step. These penalties stay in the scores by which a group compares its hypotheses (the paper's
    algorithm 1), but not in the log-probabilities returned. An end forced by the length has no penalty.

    The captions are the best of each group, in the order of the groups, then the second of each, and so on. Two groups
    may end with the same caption. Ties are broken as torch does.

    Args:
        stepper, state: As for `decode`.
        n: At most `size`.
        max_words: The length at which a caption is ended.
        size: The number of hypotheses of all groups.
        groups: The number of groups, which divides `size`.
        diversity: 0 or positive.

    Raises:
        CaptionerError: `n` exceeds `size` or the number of possible captions, or a log-probability is NaN.
    """
    check_n(n, most=size, what=f"a beam of {size}")
    each = size // groups
    images, device = len(state[0]), state[0].device
    state = take_state(state, torch.arange(images, device=device).repeat_interleave(size))
    beams = [Hypotheses.start(images, size=each, device=device) for _ in range(groups)]
    words = torch.full((images * size,), START, device=device)
    first_of_image = size * torch.arange(images, device=device).unsqueeze(1)
    for step in range(max_words):
        given, state = stepper.step(words, state)
        allowed = check_step(given, step).view(images, groups, each, -1)
        by_group = given.view(images, groups, each, -1)
        counts = torch.zeros(images, 1, given.shape[1], device=device)
        parents = []
        for group in range(groups):
            active = ~beams[group].ended
            beams[group], rows = beams[group].extend(by_group[:, group], allowed[:, group] - diversity * counts)
            parents.append(first_of_image + group * each + rows)
            chosen = active.gather(1, rows) & (beams[group].scores > -torch.inf)
            counts[:, 0].scatter_add_(1, beams[group].last, chosen.to(counts.dtype))
        if all(bool(beam.ended.all()) for beam in beams):
            return _collect(beams, n=n, max_words=max_words)
        state = take_state(state, torch.cat(parents, dim=1).flatten())
        words = torch.cat([beam.last for beam in beams], dim=1).flatten()
    given, _ = stepper.step(words, state)
    check_step(given, max_words)
    by_group = given.view(images, groups, each, -1)
    return _collect([beam.end(by_group[:, group]) for group, beam in enumerate(beams)], n=n, max_words=max_words)


def _collect(beams: list[Hypotheses], *, n: int, max_words: int) -> DecodedCaptions:
    scores = _interleave([beam.scores for beam in beams])[:, :n]
    if bool((scores == -torch.inf).any()):
        fewest = int((scores > -torch.inf).sum(dim=1).min())
        raise CaptionerError(f"beam search found only {fewest} possible captions of at most {max_words} words, not {n}")
    ids = _interleave([beam.ids for beam in beams])[:, :n]
    log_probabilities = _interleave([beam.log_probabilities for beam in beams])[:, :n]
    absent = (0, max_words + 1 - ids.shape[2])
    return DecodedCaptions(
        ids=torch.nn.functional.pad(ids, absent, value=PAD),
        word_log_probabilities=torch.nn.functional.pad(log_probabilities, absent),
    )


def _interleave(values: list[Tensor]) -> Tensor:
    """Return `(n_images, size, ...)`: the first of each group, then the second of each."""
    return torch.stack(values, dim=2).flatten(1, 2)
