"""The bundled captioners, found by the hook `register_captioners`."""
