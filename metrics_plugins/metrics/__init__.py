"""The bundled metrics, one folder for each family."""
