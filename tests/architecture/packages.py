"""The packages of the product, for tests that read all of its files."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = (
    "accordance",
    "config",
    "annotation_ui",
    "challenges",
    "studies",
    "jobs",
    "captioning",
    "metrics_plugins",
    "correlation",
    "execution",
)
