"""The monitoring page of a study: what comes in, who waits and leaves, what it costs, and how far the numbers are."""
