"""A small lexicon for the tests of single steps."""

from pathlib import Path

import pytest

from metrics_plugins.alignment.lexicon import Lexicon
from tests.metrics_plugins.alignment.tiny import make_lexicon


@pytest.fixture
def lexicon(tmp_path: Path) -> Lexicon:
    return make_lexicon(tmp_path)
