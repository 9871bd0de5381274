"""Raters' pages for a researcher to look at: the same templates and forms, and nothing is stored."""
