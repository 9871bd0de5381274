"""The monitoring page of a study: judgments, queue, dropouts, cost, and precision of the results."""
