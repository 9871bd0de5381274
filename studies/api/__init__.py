"""The JSON API: what the pages do, for programs. Each view is thin and makes one domain call."""
