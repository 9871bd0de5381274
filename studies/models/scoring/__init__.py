"""Models of scoring: runs of metrics with their scores, and requests for them."""
