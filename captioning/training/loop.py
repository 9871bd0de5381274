"""The training loop: phases of steps, validation, early stopping, checkpoints. All systems go through it.

All random numbers are functions of the seed and the step, so that an interrupted training resumes from its last
checkpoint and, on the CPU with the same number of threads, ends with the same bytes.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any, Final

import numpy as np
import torch
from torch import Tensor, nn

from captioning.api.captioned import CaptionedImages
from captioning.api.errors import CaptionerError
from captioning.api.images import ImageInput
from captioning.networks.cgan import Evaluator
from captioning.networks.network import CaptionNetwork
from captioning.networks.tensors import move_images
from captioning.training.adversarial import AdversarialSettings, AdversarialTraining
from captioning.training.checkpoints import Checkpoint, read_checkpoint
from captioning.training.curves import write_curve, write_page
from captioning.training.losses import WeightedLoss
from captioning.training.order import STEP, BatchOrder, Draws, Int64
from captioning.training.parallel import Processes
from captioning.training.rewards import Reward, require_validation_worlds
from captioning.training.settings import Selection, TrainingSettings
from captioning.training.steps import CrossEntropySteps, PolicySteps, Prepared
from captioning.training.validation import Validator
from metrics_plugins.api.progress import Track
from metrics_plugins.metrics.critics.network_state import (
    copy_moments,
    copy_state,
    load_moments,
    load_state,
    pick,
    set_rate,
)
from metrics_plugins.text.vocabulary import Vocabulary

_BETTER: Final[Mapping[Selection, tuple[str, float]]] = {"loss": ("loss", -1.0), "cider": ("cider", 1.0)}
_TRUTH: Final = ("truth", 1.0)


@dataclass(frozen=True, slots=True, eq=False)
class Material:
    """What a training reads.

    Attributes:
        data: The training images with their captions.
        validation: The validation images.
        inputs: What the encoder reads.
        vocabulary: Words by number.
    """

    data: CaptionedImages
    validation: CaptionedImages
    inputs: ImageInput
    vocabulary: Vocabulary


@dataclass(frozen=True, slots=True)
class _Phase:
    number: int
    label: str
    steps: int
    rate: float


class Training:
    """One training run."""

    def __init__(
        self,
        network: CaptionNetwork,
        material: Material,
        settings: TrainingSettings,
        *,
        draws: Draws,
        processes: Processes,
        folder: Path,
        identity: Mapping[str, Any],
        title: str,
        evaluator: Evaluator | None = None,
    ) -> None:
        """Prepare a training.

        Args:
            network: With initial weights, on the device.
            material: The data.
            settings: The settings.
            draws: The source of random numbers.
            processes: This process among all that train the network.
            folder: For checkpoints and the curve.
            identity: What identifies the training, compared with that of a checkpoint.
            title: The title of the curve.
            evaluator: With initial weights, on the device; for the objective `adversarial` only.

        Raises:
            CaptionerError: The settings need what the data do not have, or several processes train with an
                evaluator.
        """
        if evaluator is not None and processes.n > 1:
            raise CaptionerError(f"the objective 'adversarial' trains in one process, got {processes.n}")
        if settings.selection == "truth":
            require_validation_worlds(material.validation)
        self.network, self.material, self.settings = network, material, settings
        self.draws, self.processes, self.folder, self.identity, self.title = draws, processes, folder, identity, title
        self.cross_entropy = CrossEntropySteps(material.data, material.inputs, material.vocabulary, settings)
        self.policy: PolicySteps | None = None
        self.evaluator = evaluator
        self.adversary: AdversarialTraining | None = None
        if settings.objective_steps and evaluator is None:
            self.policy = PolicySteps.make(
                self.cross_entropy, material.vocabulary, settings, draws, retrieval=self._make_retrieval()
            )
        self.validator = self._make_validator()
        self.points: list[Mapping[str, Any]] = []
        self.phase_number = self.step = self.best_step = 0
        self.best_value = -math.inf
        self.best: dict[str, np.ndarray] = {}
        self.optimizer = self._make_optimizer()
        loss: nn.Module = WeightedLoss(network)
        self.loss = processes.wrap(torch.compile(loss) if settings.compile else loss)  # type: ignore[arg-type]

    def run(self, track: Track) -> None:
        """Train to the end; the network then has the final weights.

        Raises:
            CaptionerError: A loss, gradient or reward is not finite; the message names the step.
            BadCheckpoint: The folder has the checkpoint of another training.
        """
        is_new = not self._resume()
        if is_new:
            self._validate(_Phase(0, "", 0, self.settings.rate), [], [], started=perf_counter(), is_start=True)
        for phase in self._list_phases()[self.phase_number :]:
            if phase.number > self.phase_number:
                self._begin(phase.number)
            self._run_phase(phase, track)
            self._take_best()
        if self.processes.is_first:
            write_curve(self.folder, self.points, note=self.material.data.note)
            write_page(self.folder, self.points, title=self.title, note=self.material.data.note, is_complete=True)

    def _list_phases(self) -> list[_Phase]:
        settings = self.settings
        return [
            _Phase(0, "cross entropy", settings.steps, settings.rate),
            _Phase(1, settings.objective, settings.objective_steps, settings.objective_rate),
        ]

    def _run_phase(self, phase: _Phase, track: Track) -> None:
        order = self._make_order(phase)
        losses: list[float] = []
        rewards: list[float] = []
        started = perf_counter()
        remaining = range(self.step, phase.steps)
        if self._has_stopped():
            return
        for step in track(remaining, total=len(remaining), label=phase.label):
            rate = self._find_rate(phase, order.get_epoch(step))
            loss, reward = self._take_step(phase, step, order, rate)
            losses.append(loss)
            rewards += [] if reward is None else [reward]
            self.step = step + 1
            if self.step % self.settings.validate_every == 0 or self.step == phase.steps:
                self._validate(phase, losses, rewards, started=started)
                self._keep()
                losses, rewards, started = [], [], perf_counter()
                if self._has_stopped():
                    return

    def _take_step(self, phase: _Phase, step: int, order: BatchOrder, rate: float) -> tuple[float, float | None]:
        rows = self.processes.take_share(order.get_rows(step))
        device = self.processes.device
        generator = torch.Generator().manual_seed(self.draws.make_seed(STEP, phase.number, step, self.processes.rank))
        where = f"{phase.label}, step {step + 1} of {phase.steps}"
        if self.adversary is not None:
            return self._take_adversarial_step(self.adversary, rows, step, rate, generator=generator, where=where)
        try:
            if phase.number == 0:
                prepared = self.cross_entropy.prepare(rows, device=device)
            else:
                assert self.policy is not None  # noqa: S101  # there are no steps of this phase otherwise
                self.network.eval()
                prepared = self.policy.prepare(self.network, rows, step=step, generator=generator, device=device)
        except CaptionerError as error:
            raise CaptionerError(f"{where}: {error}") from error
        self.network.train()
        loss = self._compute_loss(prepared, generator if phase.number == 0 else None)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        norm = nn.utils.clip_grad_norm_(self.network.parameters(), self.settings.clip or math.inf)
        value = loss.item()
        self._require_finite(value, norm.item(), where=where)
        set_rate(self.optimizer, rate)
        self.optimizer.step()
        return value * prepared.scale, prepared.reward

    def _take_adversarial_step(
        self,
        adversary: AdversarialTraining,
        rows: Int64,
        step: int,
        rate: float,
        *,
        generator: torch.Generator,
        where: str,
    ) -> tuple[float, float | None]:
        # A batch across the end of an epoch may have an image twice, whose captions do not mismatch.
        rows = np.unique(rows)
        human, device = self.cross_entropy, self.processes.device
        images = move_images(self.material.data.images.select(rows), inputs=self.material.inputs, device=device)
        ids = human.encode(human.draw_captions(rows, step=step, draws=self.draws)).to(device)
        for optimizer in (adversary.generator_optimizer, adversary.evaluator_optimizer):
            set_rate(optimizer, rate)
        self.network.eval()
        try:
            found = adversary.step(images, ids, generator=generator)
        except ValueError as error:
            raise CaptionerError(f"{where}: {error}") from error
        self._require_finite(found.evaluator_loss, found.norm, where=where)
        return found.evaluator_loss, found.reward

    def _compute_loss(self, prepared: Prepared, generator: torch.Generator | None) -> Tensor:
        with torch.autocast(self.processes.device.type, dtype=torch.bfloat16, enabled=self.settings.bf16):
            loss: Tensor = self.loss(
                prepared.images, prepared.rows, prepared.ids, prepared.weights, prepared.is_sampled, generator
            )
        return loss

    def _require_finite(self, loss: float, norm: float, *, where: str) -> None:
        for name, value in (("loss", loss), ("norm of the gradient", norm)):
            if not math.isfinite(value):
                raise CaptionerError(
                    f"{where}: the {name} is {value}, so training cannot continue: try a lower `rate`, or look for "
                    f"invalid values in the images; the last checkpoint in {self.folder} is kept"
                )

    def _find_rate(self, phase: _Phase, epoch: int) -> float:
        every = self.settings.decay_epochs
        return phase.rate * (self.settings.decay ** (epoch // every) if every else 1.0)

    def _make_order(self, phase: _Phase) -> BatchOrder:
        n_examples = len(self.cross_entropy) if phase.number == 0 else len(self.material.data)
        return BatchOrder(self.draws, phase.number, n_examples, self.settings.batch_size)

    def _validate(
        self, phase: _Phase, losses: list[float], rewards: list[float], *, started: float, is_start: bool = False
    ) -> None:
        before = sum(each.steps for each in self._list_phases()[: phase.number])
        keep = self.folder / f"captions-{before + self.step}.json" if self.settings.keep_captions else None
        epoch = self._make_order(phase).get_epoch(self.step)
        point: dict[str, Any] | None = None
        if self.processes.is_first:
            self.network.eval()
            try:
                measures = self.validator.measure(self.network, self.processes.device, keep=keep)
            except CaptionerError as error:
                raise CaptionerError(
                    f"{phase.label or 'start'}, step {self.step} of {phase.steps}: validation failed: {error}; the "
                    f"last checkpoint in {self.folder} is kept"
                ) from error
            point = {
                "phase": phase.label or "start",
                "step": self.step,
                "total_step": before + self.step,
                "epoch": epoch,
                "rate": self._find_rate(phase, epoch),
                "train_loss": _mean(losses) if phase.number == 0 else None,
                "reward": _mean(rewards),
                **measures,
                "seconds": round(perf_counter() - started, 3),
            }
        self.points.append(self.processes.send(point))
        if is_start and not self.settings.start:
            # Weights without training are no result, even where training has not yet raised the CIDEr above 0.
            return
        value = self._rate_point(self.points[-1])
        if value > self.best_value:
            self.best_step, self.best_value = self.step, value
            self.best = copy_state(self.network, "") if self.settings.selection != "last" else {}

    def _rate_point(self, point: Mapping[str, Any]) -> float:
        """Return the value by which weights are selected, of which more is better."""
        selection = self.settings.selection
        if selection == "last":
            return float(self.step)
        name, sign = _BETTER.get(selection, _TRUTH)
        value = point.get(name)
        if value is None:
            raise CaptionerError(f"`selection` of a training is {selection!r}, but validation has no {name}")
        return sign * float(value)

    def _has_stopped(self) -> bool:
        patience = self.settings.patience * self.settings.validate_every
        return bool(patience) and self.step - self.best_step >= patience

    def _begin(self, number: int) -> None:
        self.phase_number, self.step, self.best_step = number, 0, 0
        if self.settings.selection == "last":
            self.best_value = -math.inf
        self.optimizer = self._make_optimizer()
        if number == 1 and self.evaluator is not None:
            settings = self.settings
            self.adversary = AdversarialTraining(
                self.network,
                self.evaluator,
                settings=AdversarialSettings(
                    samples=settings.n_samples, max_words=settings.max_words, clip=settings.clip
                ),
            )
            self.optimizer = self.adversary.generator_optimizer

    def _take_best(self) -> None:
        if self.best:
            self.network.load_state_dict({name: torch.from_numpy(values) for name, values in self.best.items()})

    def _make_optimizer(self) -> torch.optim.Adam:
        return torch.optim.Adam(self.network.parameters(), lr=self.settings.rate)

    def _make_validator(self) -> Validator:
        material, settings = self.material, self.settings
        n_images = min(settings.validation_images or len(material.validation), len(material.validation))
        return Validator(
            data=material.validation.select(range(n_images)),
            inputs=material.inputs,
            vocabulary=material.vocabulary,
            documents=self.cross_entropy.count_frequencies(),
            settings=settings,
            draws=self.draws,
        )

    def _make_retrieval(self) -> Reward | None:
        if "retrieval" not in self.settings.reward:
            return None
        n_images = min(self.settings.batch_size // self.processes.n, len(self.material.data))
        if n_images < 2:
            raise CaptionerError(
                f"the retrieval reward compares the images of a batch, of which each process must have at least 2, got "
                f"{n_images} (`batch_size` {self.settings.batch_size}, {self.processes.n} processes, "
                f"{len(self.material.data)} training images)"
            )
        from captioning.training.retrieval import train_retrieval

        return train_retrieval(
            self.cross_entropy, self.material.vocabulary, self.settings, self.draws, self.processes.device
        )

    def _keep(self) -> None:
        if not self.processes.is_first:
            return
        tensors = copy_state(self.network, "network.")
        tensors |= copy_moments(self.optimizer, self.network)
        if self.adversary is not None:
            evaluator = self.adversary.evaluator
            tensors |= copy_state(evaluator, "evaluator.")
            tensors |= copy_moments(self.adversary.evaluator_optimizer, evaluator, prefix="evaluator-")
        tensors |= {f"best.{name}": values for name, values in self.best.items()}
        checkpoint = Checkpoint(
            self.phase_number, self.step, self.best_step, self.best_value, tuple(self.points), tensors
        )
        checkpoint.write(self.folder, self.identity)
        write_curve(self.folder, self.points, note=self.material.data.note)
        write_page(self.folder, self.points, title=self.title, note=self.material.data.note, is_complete=False)

    def _resume(self) -> bool:
        checkpoint = read_checkpoint(self.folder, self.identity)
        self.processes.wait()
        if checkpoint is None:
            return False
        self._begin(checkpoint.phase)
        self.step, self.best_step, self.best_value = checkpoint.step, checkpoint.best_step, checkpoint.best_value
        self.points = list(checkpoint.points)
        self.best = pick(checkpoint.tensors, "best.")
        load_state(self.network, checkpoint.tensors, "network.")
        load_moments(self.optimizer, self.network, checkpoint.tensors, step=checkpoint.step)
        if self.adversary is not None:
            evaluator = self.adversary.evaluator
            load_state(evaluator, checkpoint.tensors, "evaluator.")
            load_moments(
                self.adversary.evaluator_optimizer,
                evaluator,
                checkpoint.tensors,
                step=checkpoint.step,
                prefix="evaluator-",
            )
        return True

    def copy_weights(self) -> dict[str, np.ndarray]:
        """Return the weights of the network by name."""
        return copy_state(self.network, "")


def _mean(values: list[float]) -> float | None:
    return float(np.mean(values)) if values else None
