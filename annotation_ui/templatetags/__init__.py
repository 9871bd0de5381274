"""Template filters of raters' pages."""
