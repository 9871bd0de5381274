"""Fixtures of the tests of scene graphs: the official tuples, and words with known synsets."""

from pathlib import Path

import pytest

from metrics_plugins.metrics.scene_graph.graphs.vocabulary import LemmaVocabulary, load_vocabulary
from tests.metrics_plugins.metrics.scene_graph.published import write_tuples


@pytest.fixture(scope="session")
def official_tuples(golden_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The path of the official tuples of every caption of Flickr8k's judgments and of PASCAL-50S."""
    return str(write_tuples(golden_folder, tmp_path_factory.mktemp("tuples") / "official.jsonl.gz"))


@pytest.fixture(scope="session")
def vocabulary() -> LemmaVocabulary:
    return load_vocabulary()
