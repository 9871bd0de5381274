"""Command-line arguments that several commands have."""
