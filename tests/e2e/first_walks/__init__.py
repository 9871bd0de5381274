"""Films what a newcomer does first: from the demo to an insight, and from three files to a shared report."""
