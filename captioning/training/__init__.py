"""Training of captioners: objectives, rewards, the loop, checkpoints and curves."""
