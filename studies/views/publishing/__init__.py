"""Reports, shared links to them, exports."""
