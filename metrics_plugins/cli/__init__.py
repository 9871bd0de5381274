"""The command line of the metrics: one file a command, and what they share."""
