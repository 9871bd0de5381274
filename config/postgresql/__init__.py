"""Django's PostgreSQL backend with a check of idle connections that needs no query."""
