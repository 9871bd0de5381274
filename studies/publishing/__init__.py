"""Frozen reports, share links, bundles, methods text, exports."""
