"""A stepper over four words whose probabilities depend on the image and on every earlier word."""

import itertools

import numpy as np
import torch

from metrics_plugins.text.vocabulary import END, MARKS, PAD, UNKNOWN

torch.set_num_threads(1)

WORDS = ("a", "b", "c", "d")
N_WORDS = len(MARKS) + len(WORDS)
CHOICES = (END, *range(len(MARKS), N_WORDS))


class ToyStepper:
    """The state is the number of the image and the prefix; every prefix has its own distribution."""

    def __init__(self, *, seed: int = 0, sharpness: float = 1.0) -> None:
        self.seed = seed
        self.sharpness = sharpness

    def begin(self, n_images: int) -> tuple[torch.Tensor, ...]:
        return (torch.arange(n_images)[:, None],)

    def compute(self, prefix: tuple[int, ...]) -> np.ndarray:
        """Return the log-probabilities after `(image, <sos>, word, ...)`."""
        rng = np.random.default_rng((self.seed, *prefix))
        logits = self.sharpness * rng.normal(size=N_WORDS)
        logits[[PAD, 2]] = -np.inf
        return logits - np.log(np.exp(logits).sum())

    def step(
        self, words: torch.Tensor, state: tuple[torch.Tensor, ...]
    ) -> tuple[torch.Tensor, tuple[torch.Tensor, ...]]:
        prefixes = torch.cat([state[0], words[:, None]], dim=1)
        rows = [self.compute(tuple(prefix)) for prefix in prefixes.tolist()]
        return torch.tensor(np.array(rows), dtype=torch.float32), (prefixes,)


def list_captions(stepper: ToyStepper, *, image: int, max_words: int) -> dict[tuple[int, ...], float]:
    """Return every caption that may be generated, as words and end, with its log-probability."""
    found = {}
    for length in range(max_words + 1):
        for words in itertools.product(CHOICES[1:], repeat=length):
            total = 0.0
            for position, word in enumerate((*words, END)):
                total += stepper.compute((image, 2, *words[:position]))[word]
            found[*words, END] = total
    return found


def strip(row: torch.Tensor) -> tuple[int, ...]:
    """Return a row of ids without padding, which may only follow the end."""
    values = row.tolist()
    end = values.index(END)
    assert all(value == PAD for value in values[end + 1 :])
    assert UNKNOWN not in values
    return tuple(values[: end + 1])
