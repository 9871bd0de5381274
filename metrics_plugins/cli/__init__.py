"""The command line of the metrics, with one module per command and shared helpers."""
