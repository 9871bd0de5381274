"""Training of a critic as in Cui et al. (2018), appendix A, on any device.

All random numbers (weights, examples, dropout) are drawn on the CPU from the seed and the epoch number. Every device
thus uses the same draws, and training on the CPU is reproducible bit for bit.
"""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter

import numpy as np
import torch
from torch import Tensor, nn

from metrics_plugins.api import MetricError
from metrics_plugins.api.progress import Track, pass_on
from metrics_plugins.encoders.full_precision import hold_full_precision
from metrics_plugins.encoders.tiles import is_out_of_memory
from metrics_plugins.metrics.critics.lstm.model.captions import TrainingCaptions
from metrics_plugins.metrics.critics.lstm.model.features import ImageFeatures
from metrics_plugins.metrics.critics.lstm.model.network import HUMAN, CriticNetwork
from metrics_plugins.metrics.critics.lstm.model.settings import CriticSettings
from metrics_plugins.metrics.critics.lstm.model.weights import Weights, has_weights
from metrics_plugins.metrics.critics.lstm.training.checkpoints import (
    Checkpoint,
    CheckpointIdentity,
    read_checkpoint,
    remove_checkpoint,
)
from metrics_plugins.metrics.critics.lstm.training.curves import LearningPoint, read_curve, write_curve
from metrics_plugins.metrics.critics.lstm.training.examples import Examples, ExampleSource, leave_out_faultless
from metrics_plugins.metrics.critics.network_state import (
    copy_moments,
    copy_state,
    load_moments,
    load_state,
    pick,
    set_rate,
)
from metrics_plugins.text.vocabulary import EncodedCaptions, Vocabulary

_WEIGHTS, _EXAMPLES, _DROPPED, _HELD_OUT, _VALIDATION = range(5)


@dataclass(frozen=True, slots=True, eq=False)
class Material:
    """The training data of a critic.

    Attributes:
        captions: The captions of the images; images with too few captions are left out.
        vocabulary: Words by number.
        vectors: `(n_words, dimension)`: initial word vectors; None for random ones.
        features: The image vectors, for a context that uses them.
    """

    captions: TrainingCaptions
    vocabulary: Vocabulary
    vectors: np.ndarray | None
    features: ImageFeatures | None


def learn(
    material: Material,
    settings: CriticSettings,
    *,
    seed: int,
    device: torch.device,
    folder: Path | None = None,
    track: Track = pass_on,
) -> Weights:
    """Train a critic, resuming from a checkpoint in the folder if there is one.

    Args:
        material: The training data.
        settings: The settings of network and training.
        seed: The only source of randomness.
        device: The device to compute on.
        folder: Where checkpoints, the learning curve and the weights are saved; None to save nothing.
        track: Displays progress.

    Raises:
        MetricError: The folder contains something else, a loss or gradient is not finite, memory runs out, or there
            is nothing to learn from.
    """
    identity = CheckpointIdentity(settings=settings.digest, captions=_identify(material), seed=seed)
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        if has_weights(folder):
            return _read_learned(folder, identity)
    with _explain_short_memory(settings, device), hold_full_precision(device.type):
        learning = _Learning(material, settings, identity=identity, device=device, folder=folder)
        for _ in learning.run(track):
            pass
    weights = learning.make_weights()
    if folder is not None:
        weights.write(folder)
        remove_checkpoint(folder)
    return weights


@contextmanager
def _explain_short_memory(settings: CriticSettings, device: torch.device) -> Iterator[None]:
    try:
        yield
    except (RuntimeError, MemoryError) as error:
        if not is_out_of_memory(error):
            raise
        reason = str(error).partition("\n")[0]
        raise MetricError(
            f"metric 'critic-lstm': the memory of {device} is too short to learn from {settings.images} images at a "
            f"time with {settings.hidden} hidden units: learn with lower `images`, `hidden` or `pooled` into another "
            "folder, or go on by the same command where there is more memory; what was kept after earlier passes is "
            f"whole: {reason}"
        ) from error


def _identify(material: Material) -> str:
    parts = [material.captions.digest, material.features.digest if material.features else ""]
    return "+".join(part for part in parts if part)


def _read_learned(folder: Path, identity: CheckpointIdentity) -> Weights:
    weights = Weights.read(folder)
    for name, wanted in asdict(identity).items():
        if weights.made_of.get(name) != wanted:
            raise MetricError(
                f"{folder} holds a critic that learned with other {name} ({weights.made_of.get(name)!r}, not "
                f"{wanted!r}): fit into another folder"
            )
    return weights


class _Learning:
    """One training run: the network, its optimiser, and the source of examples."""

    def __init__(
        self,
        material: Material,
        settings: CriticSettings,
        *,
        identity: CheckpointIdentity,
        device: torch.device,
        folder: Path | None,
    ) -> None:
        self.settings, self.identity, self.device, self.folder = settings, identity, device, folder
        self.vocabulary, self.features = material.vocabulary, material.features
        usable = material.captions.require_captions(2 if settings.reads_references else 1)
        usable = leave_out_faultless(usable, settings)
        self.captions, self.held_out = usable.hold_out(settings.validation, self._make_rng(_HELD_OUT))
        self.source = ExampleSource(self.captions, settings, words=self.vocabulary.words)
        self.network = make_network(settings, self.vocabulary, vectors=material.vectors, features=self.features)
        self.network.draw_weights(self._make_generator(_WEIGHTS))
        if material.vectors is not None:
            with torch.no_grad():
                self.network.embedding.weight.copy_(torch.from_numpy(material.vectors))
        self.network.to(device)
        self.optimizer = torch.optim.Adam(self.network.parameters(), lr=settings.rate)
        self.validation = self._draw_validation()
        self.points: list[LearningPoint] = []
        self.epoch, self.best_epoch, self.best_accuracy = 0, 0, -math.inf
        self.best: dict[str, np.ndarray] = {}

    def run(self, track: Track) -> Iterator[LearningPoint]:
        """Yield a point after each epoch, once its checkpoint is saved."""
        self._go_on()
        while self.epoch < self.settings.epochs and not self._has_stopped():
            point = self._run_pass(track)
            self.points.append(point)
            self._keep()
            yield point

    def _has_stopped(self) -> bool:
        patience = self.settings.patience
        return bool(patience) and self.epoch - self.best_epoch >= patience

    def _run_pass(self, track: Track) -> LearningPoint:
        started = perf_counter()
        number = self.epoch + 1
        rate = self.settings.rate * self.settings.decay**self.epoch
        set_rate(self.optimizer, rate)
        examples = self.source.draw(self._make_rng(_EXAMPLES, number))
        batches = self._split(self._encode(examples, self.captions))
        generator = self._make_generator(_DROPPED, number)
        total = n_right = 0.0
        for step, batch in enumerate(track(batches, total=len(batches), label=f"pass {number}"), start=1):
            loss, right = self._step(batch, generator, where=f"pass {number}, batch {step} of {len(batches)}")
            total += loss * len(batch)
            n_right += right
        self.epoch = number
        return LearningPoint(
            epoch=number,
            rate=rate,
            loss=total / len(examples),
            accuracy=n_right / (2 * len(examples)),
            validation_accuracy=self._validate(),
            seconds=perf_counter() - started,
        )

    def _step(self, batch: "_Encoded", generator: torch.Generator, *, where: str) -> tuple[float, float]:
        self.network.train()
        logits, targets = self._judge(batch, generator)
        loss = nn.functional.cross_entropy(logits, targets)
        value = self._require_finite(loss, name="loss", where=where)
        self.optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        norm = nn.utils.clip_grad_norm_(self.network.parameters(), self.settings.clip)
        # Otherwise the weights of this epoch would be saved although the next loss is not finite.
        self._require_finite(norm, name="gradient's length", where=where)
        self.optimizer.step()
        return value, float((logits.argmax(dim=1) == targets).sum())

    def _require_finite(self, number: Tensor, *, name: str, where: str) -> float:
        value = number.item()
        if not math.isfinite(value):
            raise MetricError(
                f"metric 'critic-lstm': {where}: the {name} is {value}, and nothing can be learned from there: try a "
                f"lower `rate` than {self.settings.rate}, or look for odd numbers in word vectors and image features; "
                "what was kept after earlier passes is whole"
            )
        return value

    def _judge(self, batch: "_Encoded", generator: torch.Generator | None) -> tuple[Tensor, Tensor]:
        """Return `(2 n, 2)` logits of the human captions followed by the wrong ones, and their classes."""
        n = len(batch)
        parts = [batch.references] if self.settings.reads_references else []
        joined = _stack([*parts, batch.humans, batch.wrongs])
        ids, ends = (torch.from_numpy(values).to(self.device) for values in (joined.ids, joined.ends))
        vectors = self.network.read(ids, ends, generator)
        captions = vectors[-2 * n :]
        references = vectors[:n].repeat(2, 1) if parts else None
        images = None
        if batch.features is not None:
            images = torch.from_numpy(batch.features).to(self.device).repeat(2, 1)
        logits = self.network.join(captions, references=references, images=images, generator=generator)
        targets = torch.full((2 * n,), 1 - HUMAN, dtype=torch.int64, device=self.device)
        targets[:n] = HUMAN
        return logits, targets

    def _validate(self) -> float | None:
        if not self.validation:
            return None
        self.network.eval()
        n_right = 0.0
        with torch.no_grad():
            for batch in self.validation:
                logits, targets = self._judge(batch, None)
                n_right += float((logits.argmax(dim=1) == targets).sum())
        accuracy = n_right / sum(2 * len(batch) for batch in self.validation)
        if self.settings.patience and accuracy > self.best_accuracy:
            self.best_epoch, self.best_accuracy, self.best = self.epoch, accuracy, copy_state(self.network, "")
        return accuracy

    def _draw_validation(self) -> list["_Encoded"]:
        if not len(self.held_out):
            return []
        source = ExampleSource(self.held_out, self.settings, words=self.vocabulary.words)
        return self._split(self._encode(source.draw(self._make_rng(_VALIDATION)), self.held_out))

    def _encode(self, examples: Examples, captions: TrainingCaptions) -> "_Encoded":
        steps, long = self.settings.steps, self.settings.long
        references, humans, wrongs = (
            self.vocabulary.encode(lines, steps=steps, long=long)
            for lines in (examples.references, examples.humans, examples.wrongs)
        )
        features = None
        if self.settings.reads_images and self.features is not None:
            features = self.features.get([captions.image_ids[row] for row in examples.images])
        return _Encoded(references, humans, wrongs, features)

    def _split(self, examples: "_Encoded") -> list["_Encoded"]:
        size = self.settings.images
        return [examples.take(slice(start, start + size)) for start in range(0, len(examples), size)]

    def _go_on(self) -> None:
        checkpoint = read_checkpoint(self.folder, self.identity) if self.folder else None
        if checkpoint is None:
            return
        self.epoch, self.best_epoch = checkpoint.epoch, checkpoint.best_epoch
        self.best_accuracy = checkpoint.best_accuracy if checkpoint.best_epoch else -math.inf
        load_state(self.network, checkpoint.tensors, "network.")
        n_steps = self.epoch * -(-len(self.captions) // self.settings.images)
        load_moments(self.optimizer, self.network, checkpoint.tensors, step=n_steps)
        self.best = pick(checkpoint.tensors, "best.")
        self.points = read_curve(self.folder, n_points=self.epoch) if self.folder else []

    def _keep(self) -> None:
        if self.folder is None:
            return
        tensors = copy_state(self.network, "network.") | copy_moments(self.optimizer, self.network)
        tensors |= {f"best.{name}": values for name, values in self.best.items()}
        accuracy = self.best_accuracy if self.best_epoch else 0.0
        write_curve(self.folder, self.points)
        Checkpoint(self.epoch, self.best_epoch, accuracy, tensors).write(self.folder, self.identity)

    def make_weights(self) -> Weights:
        """Return the trained weights: the best ones if a patience is set, else the last."""
        made_of = {
            **asdict(self.identity),
            "n_images": len(self.captions),
            "epochs": self.epoch,
            "kept_epoch": self.best_epoch or self.epoch,
            "device": self.device.type,
            "dtype": "float32",
            "torch": torch.__version__,
        }
        tensors = self.best or copy_state(self.network, "")
        images = frozenset(self.captions.image_ids) | frozenset(self.held_out.image_ids)
        return Weights(self.settings, self.vocabulary, tensors, images, made_of)

    def _make_rng(self, *purpose: int) -> np.random.Generator:
        return np.random.default_rng([self.identity.seed, *purpose])

    def _make_generator(self, *purpose: int) -> torch.Generator:
        drawn = self._make_rng(*purpose).integers(2**63)
        return torch.Generator().manual_seed(int(drawn))


@dataclass(frozen=True, slots=True, eq=False)
class _Encoded:
    """Examples encoded as numbers."""

    references: EncodedCaptions
    humans: EncodedCaptions
    wrongs: EncodedCaptions
    features: np.ndarray | None = None

    def __len__(self) -> int:
        return len(self.humans)

    def take(self, rows: slice) -> "_Encoded":
        references, humans, wrongs = (
            EncodedCaptions(each.ids[rows], each.ends[rows]) for each in (self.references, self.humans, self.wrongs)
        )
        return _Encoded(references, humans, wrongs, None if self.features is None else self.features[rows])


def make_network(
    settings: CriticSettings, vocabulary: Vocabulary, *, vectors: np.ndarray | None, features: ImageFeatures | None
) -> CriticNetwork:
    """Return a network of the right sizes, with uninitialised weights."""
    return CriticNetwork(
        settings,
        n_words=len(vocabulary),
        dimension=settings.dimension if vectors is None else vectors.shape[1],
        image_dimension=features.dimension if features else 0,
    )


def _stack(parts: list[EncodedCaptions]) -> EncodedCaptions:
    ids = np.concatenate([part.ids for part in parts])
    return EncodedCaptions(ids, np.concatenate([part.ends for part in parts])).trim()
