"""Study planning: sample sizes, estimates from pilots, and stopping rules."""
