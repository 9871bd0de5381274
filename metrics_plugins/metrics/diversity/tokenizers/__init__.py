"""The tokenisers of metrics of caption sets."""
