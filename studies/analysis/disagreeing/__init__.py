"""The items on which a metric and people, two metrics, or the raters among themselves differ most, and why."""
