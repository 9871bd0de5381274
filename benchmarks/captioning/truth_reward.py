"""Rewards truth instead of CIDEr: `python -m benchmarks.captioning.truth_reward --folder FOLDER`.

`lrcn-1u` is trained by cross entropy on sets of ShapeWorldICE, as in `benchmarks.captioning.ice`, whose trainings are
used if the folder has them. Self-critical training goes on from its weights twice, once with the truth of sampled
captions as the reward and once with their CIDEr-D. Finished trainings stay in the folder. The section on truth as
reward of docs/captioning-worlds.md is written.
"""

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from benchmarks.captioning.ice import Sizes, find_training, load_set, make_parser, train_on_set
from benchmarks.captioning.ice_page import CROWD, FIRST, MANY, ONE, PAGE
from benchmarks.captioning.pages import FIGURES, replace_section
from correlation.figures.curves import CurvePoint, draw_curves
from correlation.figures.rendering import render
from metrics_plugins.probes.tables import format_table

SETS: Final = (ONE, MANY, CROWD)
REWARDS: Final = ("truth", "cider")
MEASURES: Final[Mapping[str, str]] = {
    "truth": "truth",
    "sample_truth": "truth of samples",
    "grammar": "grammaticality",
    "diversity": "diversity ratio",
    "self_cider": "Self-CIDEr of samples",
    "cider": "CIDEr-D",
    "bleu_4": "BLEU-4",
}
FIGURE: Final = "captioning-worlds-reward.svg"
DRAWN: Final = ("truth", "self_cider")

Curve = Sequence[Mapping[str, Any]]


def main() -> int:
    """Train, and write the section."""
    parser = make_parser(__doc__ or "")
    parser.add_argument("--objective-steps", type=int, default=600, help="steps with a reward (default: 600)")
    chosen = parser.parse_args()
    sizes = Sizes.make(chosen.steps)
    results = {
        name: {
            reward: _train(name, reward, sizes, chosen.folder, n_steps=chosen.objective_steps, device=chosen.device)
            for reward in REWARDS
        }
        for name in SETS
    }
    write_section(results, sizes=sizes, n_steps=chosen.objective_steps)
    return 0


def _train(name: str, reward: str, sizes: Sizes, folder: Path, *, n_steps: int, device: str) -> Curve:
    """Return the points of the training with a reward, from the weights before it."""
    data = load_set(name, sizes, folder)
    start = find_training(name, FIRST, sizes, folder)
    train_on_set(data, FIRST, sizes, start, device=device)
    own = folder / f"{start.name}-{reward}-{n_steps}"
    settings = {
        "steps": 0,
        "start": str(start),
        "objective": "scst",
        "objective_steps": n_steps,
        "objective_rate": 2e-4,
        "reward": reward,
        "n_samples": 5,
        "validate_every": max(1, n_steps // 10),
        "validation_samples": 5,
        "keep_captions": False,
    }
    train_on_set(data, FIRST, sizes, own, device=device, settings=settings)
    points = [json.loads(line) for line in (own / "curve.jsonl").read_text().splitlines()]
    sys.stderr.write(f"{name}, {reward}: {points[0]['truth']:.3f} -> {points[-1]['truth']:.3f}\n")
    return points


def write_section(results: Mapping[str, Mapping[str, Curve]], *, sizes: Sizes, n_steps: int) -> None:
    """Write the figure, and the table of measures before and after."""
    (FIGURES / FIGURE).write_bytes(render(draw(results), "svg"))
    seconds = sum(point["seconds"] for curves in results.values() for points in curves.values() for point in points)
    rows = []
    for name, curves in results.items():
        first, *_ = curves.values()
        rows.append([name, "before", *_format(first[0])])
        rows += [[name, f"{reward} as reward", *_format(points[-1])] for reward, points in curves.items()]
    content = "\n".join(
        [
            f"{sizes.steps:,} steps of cross entropy, then {n_steps:,} steps of SCST with 5 samples of each of "
            f"{sizes.batch_size} worlds, seed {sizes.seed}; {seconds / 60:.0f} minutes of one core for that. "
            f"{sizes.n_test:,} test worlds. Numbers times 100, of greedy captions where samples are not named.",
            "",
            format_table(["set", "weights", *MEASURES.values()], rows, n_names=2),
            f"![Truth and Self-CIDEr during training with a reward](figures/{FIGURE})",
        ]
    )
    replace_section(PAGE, name="reward", content=content)


def _format(point: Mapping[str, Any]) -> list[str]:
    return [f"{100 * point[measure]:.1f}" for measure in MEASURES]


def draw(results: Mapping[str, Mapping[str, Curve]]) -> dict[str, Any]:
    """Return the figure: a panel for each set and measure, a curve for each reward."""
    points = [
        CurvePoint(panel=f"{name}: {MEASURES[measure]}", series=reward, x=point["step"], y=point[measure])
        for measure in DRAWN
        for name, curves in results.items()
        for reward, curve in curves.items()
        for point in curve
    ]
    return draw_curves(points, x_title="steps with a reward", title="Truth or CIDEr-D as the reward")


if __name__ == "__main__":
    sys.exit(main())
