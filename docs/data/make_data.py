"""Makes the tables of the notebooks from the captions of the demo: `python docs/data/make_data.py`.

Ratings are drawn around how well a caption fits its image, as the demo says it; nobody was asked.
"""

import json
from pathlib import Path

import numpy as np
import pandas as pd

HERE = Path(__file__).resolve().parent
DEMO = HERE.parents[1] / "studies" / "simulation" / "demo" / "data" / "captions.json"
RATERS = ("r1", "r2", "r3")
COLUMNS = ["image", "system", "caption", "rater", "rating"]


def make_tables() -> dict[str, str]:
    """Return the content of each file by its name."""
    images = json.loads(DEMO.read_text(encoding="utf-8"))["images"]
    rng = np.random.default_rng(0)
    rows = [
        (image["key"], system, own["captions"][0], rater, int(np.clip(round(1 + 4 * own["fit"] + rng.normal()), 1, 5)))
        for image in images
        for system, own in image["systems"].items()
        for rater in RATERS
    ]
    captions = [
        (image["key"], system, text)
        for system in ("captioner-a", "captioner-b")
        for image in images
        for text in image["systems"][system]["captions"]
    ]
    references = {image["key"]: image["references"] for image in images}
    return {
        "judgments.csv": pd.DataFrame(rows, columns=["image", "system", "caption", "rater", "rating"]).to_csv(
            index=False
        ),
        "captions.csv": pd.DataFrame(captions, columns=["image", "system", "caption"]).to_csv(index=False),
        "references.json": json.dumps(references, indent=1) + "\n",
    }


if __name__ == "__main__":
    for name, content in make_tables().items():
        (HERE / name).write_text(content, encoding="utf-8")
