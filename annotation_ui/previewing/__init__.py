"""A preview of raters' pages for researchers, with the same templates and forms, which stores nothing."""
