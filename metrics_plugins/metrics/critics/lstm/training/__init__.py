"""Training of `critic-lstm`: examples, epochs, checkpoints and learning curves."""
