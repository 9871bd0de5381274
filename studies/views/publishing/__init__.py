"""Pages for reports, shared links and exports."""
