"""The retrieval reward: whether a caption is closer to its image than to the other images of its batch."""

from dataclasses import dataclass
from typing import Final, cast

import numpy as np
import torch
from torch import Tensor, nn

from captioning.api.images import ImageInput, Images
from captioning.networks.encoders import PassedRegions, SmallCnn
from captioning.networks.network import EncodedRegions
from captioning.networks.tensors import move_images
from captioning.training.order import RETRIEVAL, BatchOrder, Draws
from captioning.training.rewards import Floats, SampledCaptions
from captioning.training.settings import TrainingSettings
from captioning.training.steps import CrossEntropySteps
from metrics_plugins.text.vocabulary import PAD, Vocabulary

MARGIN: Final = 0.2
_RATE: Final = 1e-3
_PHASE: Final = 2


class RetrievalNetwork(nn.Module):
    """Images and captions as unit vectors of one space (VSE++, Faghri et al. 2018)."""

    def __init__(self, encoder: nn.Module, *, n_words: int, size: int) -> None:
        super().__init__()
        self.encoder = encoder
        self.projection = nn.Linear(size, size)
        self.embedding = nn.Embedding(n_words, size, padding_idx=PAD)
        self.reader = nn.GRU(size, size, batch_first=True)

    def embed_images(self, images: Tensor | EncodedRegions) -> Tensor:
        """Return `(n, size)`: unit vectors of images."""
        regions: EncodedRegions = self.encoder(images)
        return nn.functional.normalize(self.projection(regions.mean), dim=1)

    def embed_captions(self, ids: Tensor) -> Tensor:
        """Return `(n, size)`: unit vectors of captions `(n, n_steps)`: the mean output of a GRU over words and end."""
        outputs, _ = self.reader(self.embedding(ids))
        weights = (ids != PAD).to(outputs.dtype).unsqueeze(2)
        return nn.functional.normalize((outputs * weights).sum(dim=1) / weights.sum(dim=1).clamp(min=1), dim=1)


def contrast(images: Tensor, captions: Tensor, rows: Tensor) -> Tensor:
    """Return `(n,)`: the contrastive loss of each pair with its hardest distractors, within [0, 2 (2 + margin)].

    It is [margin + s(I, c') - s(I, c)]+ for the most similar other caption c', plus [margin + s(I', c) - s(I, c)]+ for
    the most similar other image I' (Luo et al. 2018, "Discriminability objective for training descriptive captions").
    Pairs of the same image are not distractors of each other. A pair without distractors has the loss 0.

    Args:
        images, captions: `(n, size)`: unit vectors, of the same row for a pair.
        rows: `(n,)`: the number of the image of each pair.
    """
    similarity = images @ captions.T
    own = similarity.diagonal()
    others = similarity.masked_fill(rows.unsqueeze(0) == rows.unsqueeze(1), -torch.inf)
    rivals = (others.amax(dim=1), others.amax(dim=0))
    return cast("Tensor", sum(torch.relu(MARGIN + rival - own) for rival in rivals))


@dataclass(frozen=True, slots=True, eq=False)
class RetrievalReward:
    """RETr: twice the margin minus the contrastive loss, so at most 0.4.

    Luo et al. take the negative loss, so that zeta weighs the same slope here as there. The constant makes it a quality
    for UDA: 0 is the reward of a caption that fits its image and the best distractors equally well, and what is worse
    is negative. Distractors are the other images of the batch, on the same process, and their captions of the same
    number.
    """

    network: RetrievalNetwork
    images: Images
    inputs: ImageInput
    vocabulary: Vocabulary
    max_words: int
    device: torch.device

    @torch.no_grad()
    def rate(self, captions: SampledCaptions) -> Floats:
        """As `Reward.rate`."""
        selected = self.images.select(captions.rows)
        rows = torch.from_numpy(captions.rows).to(self.device)
        images = self.network.embed_images(move_images(selected, inputs=self.inputs, device=self.device))
        columns = []
        for lines in zip(*captions.lines, strict=True):
            ids = self.vocabulary.encode(lines, steps=self.max_words + 1, long="cut").ids
            vectors = self.network.embed_captions(torch.from_numpy(ids).to(self.device))
            columns.append(2 * MARGIN - contrast(images, vectors, rows).double().cpu().numpy())
        return np.stack(columns, axis=1)


def train_retrieval(
    human: CrossEntropySteps,
    vocabulary: Vocabulary,
    settings: TrainingSettings,
    draws: Draws,
    device: torch.device,
) -> RetrievalReward:
    """Train the model of the reward on the training captions, with the hardest distractors of each batch.

    It takes `settings.retrieval_steps` steps of Adam, and is a function of the seed, so that a training that resumes
    trains it again instead of saving it. Each of several processes trains the same model.
    """
    size = settings.hidden
    generator_seed = draws.make_seed(RETRIEVAL)
    images = human.data.images
    encoder: nn.Module
    # Layers draw their first weights from the global generator, whose state is restored.
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(generator_seed)
        if human.inputs == ImageInput.PIXELS and images.pixels is not None:
            height, width = images.pixels.shape[1:3]
            encoder = SmallCnn((height, width), size, channels=settings.channels, as_grid=False)
        else:
            assert images.features is not None  # noqa: S101  # one of the two is what the network reads
            encoder = PassedRegions(images.features.dimension, size)
        network = RetrievalNetwork(encoder, n_words=len(vocabulary), size=size).to(device)
    optimizer = torch.optim.Adam(network.parameters(), lr=_RATE)
    order = BatchOrder(draws, _PHASE, len(human), settings.batch_size)
    for step in range(settings.retrieval_steps):
        captions = order.get_rows(step)
        prepared = human.prepare(captions, device=device)
        rows = torch.from_numpy(human.images[captions]).to(device)
        loss = contrast(network.embed_images(prepared.images), network.embed_captions(prepared.ids), rows).mean()
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
    network.eval()
    return RetrievalReward(network, images, human.inputs, vocabulary, settings.max_words, device)
