"""The commands that try metrics out: `probe`, `robustness` and `human-agreement`."""
