"""The critic's network: an LSTM that encodes captions, and a head that combines a caption with its context."""

from typing import Final

import torch
from torch import Tensor, nn

from metrics_plugins.metrics.critics.lstm.model.pooling import BilinearPooling
from metrics_plugins.metrics.critics.lstm.model.settings import CriticSettings
from metrics_plugins.metrics.critics.network_state import drop

HUMAN: Final = 0
"""The class of human captions; the other class is 1."""


class CriticNetwork(nn.Module):
    """The network of Cui et al. (2018), section 3.1, configured by `CriticSettings`.

    The vector of a caption is the LSTM's output at its `<eos>`. The context is the image (projected linearly), a human
    caption, or the concatenation of both. Without a context, bilinear pooling combines the caption with itself.
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
        """Initialise all weights: Glorot uniform, zero biases, and 1 for the biases of the forget gates."""
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
        """Use bfloat16 except for pooling and logits, whose lower precision would cause ties."""
        self.to(torch.bfloat16)
        self.output.float()

    def read(self, ids: Tensor, ends: Tensor, generator: torch.Generator | None = None) -> Tensor:
        """Return `(n, hidden)`: the vectors of captions `(n, steps)` at `ends` `(n,)`, zero where `ends` is -1.

        With a generator, dropout is applied as in training.
        """
        words = drop(self.embedding(ids), self.settings.dropout, generator)
        outputs, _ = self.lstm(words)
        vectors = outputs[torch.arange(len(ids), device=ids.device), ends.clamp(min=0)]
        return drop(vectors * (ends >= 0).unsqueeze(1), self.settings.dropout, generator)

    def join(
        self,
        captions: Tensor,
        *,
        references: Tensor | None = None,
        images: Tensor | None = None,
        generator: torch.Generator | None = None,
    ) -> Tensor:
        """Return `(n, 2)`: the logits of captions encoded by `read`, with their contexts.

        Args:
            captions: `(n, hidden)`.
            references: `(n, hidden)`, for contexts that use them.
            images: `(n, image_dimension)`, for contexts that use them.
            generator: As for `read`.
        """
        contexts = [] if images is None or self.image is None else [self.image(images)]
        contexts += [] if references is None else [references]
        if self.pooling is not None:
            context = torch.cat(contexts, dim=1) if contexts else captions
            return self._give(self.pooling(context, captions))
        joined = torch.cat([*contexts, captions], dim=1)
        if self.layer is not None:
            joined = drop(torch.relu(self.layer(joined)), self.settings.dropout, generator)
        return self._give(joined)

    def _give(self, features: Tensor) -> Tensor:
        logits: Tensor = self.output(features.to(self.output.weight.dtype))
        return logits
