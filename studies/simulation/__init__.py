"""Demo studies and simulated judgments."""
