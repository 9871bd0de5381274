"""What every package of studies may use: errors with source locations, text, private files."""
