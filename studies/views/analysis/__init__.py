"""The explorer, disagreements, figures, the planner."""
