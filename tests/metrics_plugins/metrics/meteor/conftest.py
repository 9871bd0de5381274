"""A small lexicon for the tests of single steps."""

from pathlib import Path

import pytest

from metrics_plugins.metrics.meteor.lexicon import Lexicon
from tests.metrics_plugins.metrics.meteor.tiny import make_lexicon


@pytest.fixture
def lexicon(tmp_path: Path) -> Lexicon:
    return make_lexicon(tmp_path)
