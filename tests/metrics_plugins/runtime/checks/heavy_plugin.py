"""A metric whose module imports a heavy library."""

import nltk  # noqa: F401

from tests.metrics_plugins.api.examples import Words


class HeavyWords(Words):
    """Counts words, and needs nothing of what it imports."""
