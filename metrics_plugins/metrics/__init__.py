"""The bundled metrics, with one package per family."""
