"""Probes: what a metric says of people's own captions, of captions made to trick it, and of ruined ones."""
