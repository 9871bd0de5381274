"""The scatter plot of one metric and people: its points, and its cached page."""
