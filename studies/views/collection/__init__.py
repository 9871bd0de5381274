"""Pages about what raters did: payments and submissions."""
