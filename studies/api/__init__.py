"""The JSON API: everything that the pages do, for programs."""
