"""The evaluator of conditional generative adversarial networks of captions (Dai, Fidler, Urtasun and Lin 2017).

The generator is a `NoiseDecoder`; `captioning.training.adversarial` trains both.
"""

import torch
from torch import Tensor, nn

from captioning.networks.network import EncodedRegions
from captioning.networks.weights import draw_weights
from metrics_plugins.text.vocabulary import PAD


class Evaluator(nn.Module):
    """Says how probable it is that a caption was written by a person for an image: `sigmoid(<f(I), h(S)>)`.

    `f` is a linear layer on the mean region of an encoder of its own, `h` one on the last output of an LSTM (the
    paper's section 3.2, equation 2).
    """

    def __init__(self, encoder: nn.Module, *, n_words: int, embedding: int, hidden: int) -> None:
        """Take an encoder with regions of length `hidden`, and the sizes."""
        super().__init__()
        self.encoder = encoder
        self.image = nn.Linear(hidden, hidden)
        self.embedding = nn.Embedding(n_words, embedding)
        self.lstm = nn.LSTM(embedding, hidden, batch_first=True)
        self.caption = nn.Linear(hidden, hidden)

    def forward(self, images: Tensor | EncodedRegions, ids: Tensor) -> Tensor:
        """Return the logits, `(n,)`.

        Args:
            images: As the encoder reads them; one for each caption.
            ids: `(n, n_steps)`: words and `<eos>`, padded with `<pad>`.
        """
        outputs, _ = self.lstm(self.embedding(ids))
        last = outputs[torch.arange(len(ids), device=ids.device), (ids != PAD).sum(dim=1) - 1]
        products: Tensor = self.image(self.encoder(images).mean) * self.caption(last)
        return products.float().sum(dim=1)


def make_evaluator(
    encoder: nn.Module, *, n_words: int, embedding: int, hidden: int, generator: torch.Generator
) -> Evaluator:
    """Return an evaluator with new weights, those of the encoder included; arguments as for `Evaluator`."""
    evaluator = Evaluator(encoder, n_words=n_words, embedding=embedding, hidden=hidden)
    draw_weights(evaluator, generator)
    return evaluator


def compute_evaluator_loss(
    written: Tensor, generated: Tensor, mismatched: Tensor, *, alpha: float = 1.0, beta: float = 1.0
) -> Tensor:
    """Return the loss of an evaluator (the paper's equation 4, negated): the mean over `(n,)` logits of each kind.

    Args:
        written: Captions by people of their images.
        generated: Captions by the generator.
        mismatched: Captions by people of other images.
        alpha, beta: The weights of generated and mismatched captions.
    """
    losses = nn.functional.softplus
    return losses(-written).mean() + alpha * losses(generated).mean() + beta * losses(mismatched).mean()
