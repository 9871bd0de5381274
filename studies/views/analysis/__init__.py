"""Pages for the explorer, disagreements, figures and the planner."""
