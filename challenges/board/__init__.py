"""The board of a phase, which is computed from its submissions."""
