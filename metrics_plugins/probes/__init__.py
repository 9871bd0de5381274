"""Probes of metrics with human captions, adversarial captions and distorted captions."""
