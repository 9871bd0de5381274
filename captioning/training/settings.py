"""The settings of a training: network, batches, rates, objective, validation; read without torch."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Final, Literal, Self, TypeAlias, get_args

from captioning.api.errors import CaptionerError
from captioning.networks.settings import Architecture, NetworkSettings

Objective: TypeAlias = Literal["xe", "scst", "xe-scst", "jpc", "epc", "mcider", "uda", "adversarial"]
"""The loss of the second phase of training; see `captioning.training.objectives`, and `adversarial` for `cgan`."""

RewardName: TypeAlias = Literal["cider", "truth", "retrieval", "cider+retrieval"]
"""The accuracy of a sampled caption."""

Selection: TypeAlias = Literal["last", "loss", "cider", "truth"]
"""The weights that a phase ends with: the last ones, or those with the best value at validation."""

_AT_LEAST_ONE: Final = ("hidden", "embedding", "max_words", "min_count", "batch_size", "validate_every", "n_samples")
_NOT_NEGATIVE: Final = (
    *("steps", "objective_steps", "decay_epochs", "clip", "alpha", "eta", "gamma", "zeta"),
    *("retrieval_steps", "validation_images", "validation_samples", "patience", "threads"),
)
_SETS: Final = frozenset({"jpc", "epc", "mcider", "uda", "adversarial"})
_SCORED: Final = frozenset({"cider", "cider+retrieval"})


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingSettings:
    """How a captioner is trained: first with cross entropy for `steps`, then with `objective` for `objective_steps`.

    Attributes:
        hidden, embedding, dropout, channels: As in `NetworkSettings`; `channels` also as text such as `32-64-128`.
        noise, components, divergence_weight: As in `NetworkSettings`.
        max_words: The maximum number of words; longer training captions are truncated.
        min_count: Words that occur less often in the training captions are unknown words.
        batch_size: The number of captions of a step of cross entropy, and of images of a step of the objective, over
            all processes.
        steps, rate: The number of steps of cross entropy, and Adam's learning rate.
        objective, objective_steps, objective_rate: The same of the second phase.
        decay, decay_epochs: In each phase, the rate is multiplied by `decay` after every `decay_epochs` epochs; 0 for
            never. An epoch is a pass over all captions (cross entropy) or all images.
        clip: The maximum norm of the gradient; 0 for no limit.
        reward: The accuracy of a sampled caption; `adversarial` ignores it, and rewards by its evaluator.
        n_samples: The number m of captions that the objective samples of an image.
        alpha, eta, gamma, zeta: The weights of the objectives, as in Wang et al. (2020): alpha of the reward beside
            cross entropy, eta of JPC, gamma of EPC and (there called gamma_1) of mCIDEr, zeta of the retrieval reward
            RETr in CIDEr + zeta RETr. The loss of `xe-scst` with that reward is cross entropy plus alpha times both, so
            that the paper's zeta_3 is alpha * zeta.
        reward_end: Whether the end of a caption counts as a word for the CIDEr-D reward, as in the code of
            self-critical training; otherwise captions learn to stop early.
        retrieval_steps: The number of steps by which the model of the retrieval reward is trained.
        validate_every: The number of steps between validations; a checkpoint is saved at each.
        validation_images: The number of validation images to use, the first ones; 0 for all.
        validation_samples: The number of captions sampled of each for Self-CIDEr; 0 for none.
        keep_captions: Whether the greedy captions of each validation are written to `captions-STEP.json`, in COCO's
            format for results, where STEP counts the steps of both phases.
        patience: The number of validations without a better `selection` after which a phase ends; 0 for never, as for
            the selection `last`, which has nothing to compare.
        selection: The weights that a phase ends with. The candidates are those of each validation of the phase, and
            those that the phase begins with if they are trained: those of `start` or of the first phase.
        start: A folder of a captioner of the same architecture whose weights and vocabulary are the initial ones;
            empty for new weights.
        bf16: Whether to compute the losses, and to sample the captions of the objective, with bfloat16 where that is
            safe (autocast). Validation computes with float32, as do captioners after training.
        compile: Whether to compile the network by `torch.compile`.
        threads: The number of processor threads; 0 to leave it unchanged. It affects the rounding of results.

    Raises:
        CaptionerError: A value is invalid; the message names it and the rule.
    """

    hidden: int = 256
    embedding: int = 256
    dropout: float = 0.0
    channels: tuple[int, ...] = (32, 64, 128, 128)
    noise: int = 64
    components: int = 16
    divergence_weight: float = 0.1
    max_words: int = 20
    min_count: int = 1
    batch_size: int = 64
    steps: int = 2000
    rate: float = 1e-3
    objective: Objective = "xe"
    objective_steps: int = 0
    objective_rate: float = 1e-4
    decay: float = 0.8
    decay_epochs: int = 0
    clip: float = 10.0
    reward: RewardName = "cider"
    n_samples: int = 5
    alpha: float = 10.0
    eta: float = 1.0
    gamma: float = 0.05
    zeta: float = 1.0
    reward_end: bool = True
    retrieval_steps: int = 500
    validate_every: int = 500
    validation_images: int = 500
    validation_samples: int = 5
    keep_captions: bool = False
    patience: int = 0
    selection: Selection = "last"
    start: str = ""
    bf16: bool = False
    compile: bool = False
    threads: int = 0

    def __post_init__(self) -> None:
        for each in fields(self):
            self._check_type(each.name, each.default)
        rules: list[tuple[str, str, bool]] = [(name, "at least 1", getattr(self, name) >= 1) for name in _AT_LEAST_ONE]
        rules += [(name, "0 or positive", getattr(self, name) >= 0) for name in _NOT_NEGATIVE]
        rules += [(name, "positive", getattr(self, name) > 0) for name in ("rate", "objective_rate")]
        rules += [
            (name, f"one of {', '.join(names)}", getattr(self, name) in names)
            for name, names in (
                ("objective", get_args(Objective)),
                ("reward", get_args(RewardName)),
                ("selection", get_args(Selection)),
            )
        ]
        rules += [
            ("dropout", "at least 0 and below 1", 0 <= self.dropout < 1),
            ("decay", "above 0 and at most 1", 0 < self.decay <= 1),
            ("objective_steps", "0 for the objective 'xe'", self.objective != "xe" or not self.objective_steps),
            ("objective_steps", f"positive for {self.objective!r}", self.objective == "xe" or self.objective_steps > 0),
            ("n_samples", f"at least 2 for {self.objective!r}", self.objective not in _SETS or self.n_samples >= 2),
            ("bf16", "off for 'adversarial'", self.objective != "adversarial" or not self.bf16),
            ("reward", "'cider' or 'cider+retrieval' for 'uda'", self.objective != "uda" or self.reward in _SCORED),
            (
                "patience",
                "0 for the `selection` 'last', which compares no weights",
                not self.patience or self.selection != "last",
            ),
        ]
        for name, rule, holds in rules:
            if not holds:
                raise CaptionerError(f"`{name}` of a training must be {rule}, got {getattr(self, name)!r}")

    def _check_type(self, name: str, default: object) -> None:
        value = getattr(self, name)
        if isinstance(default, float) and isinstance(value, int) and not isinstance(value, bool):
            object.__setattr__(self, name, float(value))
        elif isinstance(default, tuple):
            object.__setattr__(self, name, _read_channels(value))
        elif type(value) is not type(default):
            raise CaptionerError(f"`{name}` of a training must be of type {type(default).__name__}, got {value!r}")

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Self:
        """Return settings from values by name, as read from JSON or a command line.

        Raises:
            CaptionerError: A name is unknown or a value is invalid.
        """
        known = [each.name for each in fields(cls)]
        for name in values:
            if name not in known:
                raise CaptionerError(f"training has no setting {name!r} (it has: {', '.join(known)})")
        return cls(**values)

    def make_network_settings(self, architecture: Architecture) -> NetworkSettings:
        """Return the part that describes the network."""
        names = {each.name for each in fields(NetworkSettings)} & {each.name for each in fields(self)}
        values = {name: getattr(self, name) for name in names}
        return NetworkSettings(architecture=architecture, **values)

    def to_json(self) -> dict[str, Any]:
        """Return the values by name, for `of`."""
        return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}


def _read_channels(value: Any) -> tuple[int, ...]:
    parts = value.split("-") if isinstance(value, str) else value
    try:
        return tuple(int(part) for part in parts)
    except (TypeError, ValueError) as error:
        raise CaptionerError(f"`channels` of a training must be numbers such as 32-64-128, got {value!r}") from error
