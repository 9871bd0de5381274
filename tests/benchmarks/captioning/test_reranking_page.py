"""Tests of the page on informative captions: its section and its figures, from small results."""

import json
from pathlib import Path
from typing import Any

from benchmarks.captioning.reranking_page import PAGE, PUBLISHED, TITLES, format_results, write_figures, write_section
from captioning.selection.mutual_information import STEPS


def _make_results() -> dict[str, Any]:
    values = dict(zip(TITLES, (20.0, 25.0, 90.0, 8.0, 19.0, 22.0, 12.0), strict=True))
    rows = [
        {
            "name": name,
            "values": {metric: value + place for metric, value in values.items()},
            "intervals": {} if name == "beam" else dict.fromkeys(TITLES, (0.5, 1.5)),
            "share_changed": place / 10,
        }
        for place, name in enumerate(PUBLISHED)
    ]
    return {
        "captioner": "att2in",
        "settings": {"hidden": 256},
        "sizes": {"train": 10_000, "validation": 1_000, "test": 1_000},
        "seed": 3,
        "device": "cpu",
        "minutes": {"data": 1.2, "captioner": 7.0},
        "weights": {name: {"penalty": 0.4, "unigram_share": 0.8} for name in PUBLISHED},
        "rows": rows,
        "grid": [
            {
                "penalty": penalty,
                "unigram_share": share,
                "values": values,
                # JSON has no NaN by the standard, but Python writes and reads it.
                "geometric_mean": float("nan") if penalty else 12.0,
            }
            for penalty in STEPS
            for share in STEPS
        ],
        "examples": [{"behind": "a dog", "people": "the dog", "beam": "a dog", "re-ranked": "a brown dog"}],
        "distractors": {
            "captioner": "att2in",
            "note": "text-conditioned",
            "n_images": 1_000,
            "n_probed": 990,
            "n_fooled": (700, 600),
            "distractors": [{"caption": "a man", "n_training": 9, "n_kept": 80, "n_preferred": (5, 4)}],
            "known_words": {"n_affected": 578, "n_images": 950, "n_fooled": (665, 570)},
        },
        "templates": {
            "note": "text-conditioned",
            "n_images": 1_000,
            "objects": "named by people",
            "classes": ("person", "chair"),
            "rows": [
                {
                    "name": name,
                    "is_template": name.startswith("template"),
                    "mean_words": 5.0,
                    "n_empty": 3,
                    "scores": {"spice": 0.2, "spice-u": 0.1 if name == "beam" else 0.05},
                }
                for name in ("template (10 classes)", "beam")
            ],
        },
    }


def test_the_section_has_sizes_tables_and_the_remark() -> None:
    text = format_results(json.loads(json.dumps(_make_results())))

    assert "Text-conditioned: `att2in`, trained by cross entropy on 10,000 images" in text
    assert "Seed 3, cpu, 8 minutes (data 1.2, captioner 7.0)" in text
    assert "| + interpolated | 0.4 | 0.8 | 23.00 | 28.00 | 93.00 | 11.00 | 22.00 | 25.00 | 15.00 | 30 % |" in text
    assert "| + unigram, published |  |  | 22.88 | 29.06 | 107.04 | 8.10 | 20.82 | 25.05 | 12.89 |  |" in text
    assert "| + unigram | +1.00 [+0.50, +1.50] |" in text
    assert "| mean | 70.0 % [67.1, 72.8] | 700 | 70.0 % [67.0, 72.8] | 665 |" in text
    assert "578 images have a human caption with a word outside" in text
    assert "| template (10 classes) | 5.0 | 0.2000 | 0.0500 | 3 |" in text


def test_the_page_has_the_section_and_figures_are_drawn(tmp_path: Path) -> None:
    page = tmp_path / PAGE.name
    page.write_text(PAGE.read_text(encoding="utf-8"), encoding="utf-8")

    write_section(_make_results(), page=page)
    write_figures(_make_results(), folder=tmp_path)

    assert "trained by cross entropy on 10,000 images" in page.read_text(encoding="utf-8")
    for name in ("captioning-reranking.svg", "captioning-object-templates.svg"):
        assert (tmp_path / name).read_bytes().startswith(b"<svg")
