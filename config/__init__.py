"""The composition root with settings, URLs and server entry points, the only package that depends on every app."""
