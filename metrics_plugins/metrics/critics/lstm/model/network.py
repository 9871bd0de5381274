"""The critic's network: one LSTM for all captions, and a head that joins a caption with its context."""

from typing import Final

import torch
from torch import Tensor, nn

from metrics_plugins.metrics.critics.lstm.model.pooling import BilinearPooling
from metrics_plugins.metrics.critics.lstm.model.settings import CriticSettings

HUMAN: Final = 0
"""The class of captions written by people; the other one is 1."""


class CriticNetwork(nn.Module):
    """Cui et al. (2018), section 3.1, with the choices of `CriticSettings`.

    The vector of a caption is the LSTM's output at its `<eos>`. The context is the image (projected without an
    activation), a human caption, or one after the other. Without a context bilinear pooling joins the caption with
    itself.
    """

    def __init__(self, settings: CriticSettings, *, n_words: int, dimension: int, image_dimension: int = 0) -> None:
        super().__init__()
        hidden = settings.hidden
        self.settings = settings
        self.image: nn.Linear | None = None
        self.pooling: BilinearPooling | None = None
        self.layer: nn.Linear | None = None
        self.embedding = nn.Embedding(n_words, dimension)
        self.lstm = nn.LSTM(dimension, hidden, batch_first=True)
        if settings.reads_images:
            self.image = nn.Linear(image_dimension, hidden)
        context = hidden * (settings.reads_images + settings.reads_references)
        if settings.head == "bilinear":
            self.pooling = BilinearPooling(context or hidden, hidden, size=settings.pooled)
            self.output = nn.Linear(settings.pooled, 2)
        elif settings.head == "mlp":
            self.layer = nn.Linear(context + hidden, hidden)
            self.output = nn.Linear(hidden, 2)
        else:
            self.output = nn.Linear(context + hidden, 2)

    def draw_weights(self, generator: torch.Generator) -> None:
        """Draw all weights anew: Glorot's uniform ones, zero biases, and 1 for what the LSTM forgets by."""
        for name, weight in self.named_parameters():
            if name == "embedding.weight":
                nn.init.uniform_(weight, -0.1, 0.1, generator=generator)
            elif weight.dim() > 1:
                nn.init.xavier_uniform_(weight, generator=generator)
            else:
                nn.init.zeros_(weight)
        # PyTorch's order of gates is input, forget, cell, output.
        hidden = self.settings.hidden
        with torch.no_grad():
            self.lstm.get_parameter("bias_ih_l0")[hidden : 2 * hidden] = 1.0

    def narrow(self) -> None:
        """Compute in bfloat16 from now on, but for what is pooled and the logits: two digits of them make ties."""
        self.to(torch.bfloat16)
        self.output.float()

    def read(self, ids: Tensor, ends: Tensor, generator: torch.Generator | None = None) -> Tensor:
        """Return `(n, hidden)`: the vectors of captions `(n, steps)` at `ends` `(n,)`, zero where that is -1.

        With a generator, numbers are dropped as while learning.
        """
        words = self._drop(self.embedding(ids), generator)
        outputs, _ = self.lstm(words)
        vectors = outputs[torch.arange(len(ids), device=ids.device), ends.clamp(min=0)]
        return self._drop(vectors * (ends >= 0).unsqueeze(1), generator)

    def join(
        self,
        captions: Tensor,
        *,
        references: Tensor | None = None,
        images: Tensor | None = None,
        generator: torch.Generator | None = None,
    ) -> Tensor:
        """Return `(n, 2)`: the logits of captions that `read` made vectors of, beside their contexts.

        Args:
            captions: `(n, hidden)`.
            references: `(n, hidden)`, for the contexts that have them.
            images: `(n, image_dimension)`, likewise.
            generator: As for `read`.
        """
        contexts = [] if images is None or self.image is None else [self.image(images)]
        contexts += [] if references is None else [references]
        if self.pooling is not None:
            context = torch.cat(contexts, dim=1) if contexts else captions
            return self._give(self.pooling(context, captions))
        joined = torch.cat([*contexts, captions], dim=1)
        if self.layer is not None:
            joined = self._drop(torch.relu(self.layer(joined)), generator)
        return self._give(joined)

    def _give(self, features: Tensor) -> Tensor:
        logits: Tensor = self.output(features.to(self.output.weight.dtype))
        return logits

    def _drop(self, values: Tensor, generator: torch.Generator | None) -> Tensor:
        kept = 1 - self.settings.dropout
        if generator is None or kept == 1:
            return values
        # Drawn on the processor wherever the network is, so that every device drops the same numbers.
        mask = torch.rand(values.shape, generator=generator) < kept
        return values * mask.to(values.device) / kept
