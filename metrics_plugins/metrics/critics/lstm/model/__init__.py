"""The network of `critic-lstm`: its settings, vocabulary, layers and weights."""
