"""Text work that several metrics share: tokenisers, n-gram tables, word lists."""
