"""Pages on which researchers bring raters into a study: links, personal links, and what a panel's form needs."""
