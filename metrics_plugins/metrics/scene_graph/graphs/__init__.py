"""Scene graphs: their tuples, names and vocabulary, and the matching of two graphs."""
