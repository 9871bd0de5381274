"""Text work that several modules share: tokenisers, n-gram tables, word lists, CSV."""
