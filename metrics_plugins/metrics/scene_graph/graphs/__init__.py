"""Scene graphs as values: tuples, names, vocabulary, and how two of them match."""
