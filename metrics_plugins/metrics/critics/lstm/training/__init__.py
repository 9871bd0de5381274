"""How `critic-lstm` learns: examples, epochs, checkpoints, curves."""
