"""The commands that evaluate metrics: `probe`, `robustness` and `human-agreement`."""
