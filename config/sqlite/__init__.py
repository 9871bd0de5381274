"""Django's SQLite backend, which makes no file by connecting."""
