"""Finding studies, pages, reports, metrics and documentation by typing."""
