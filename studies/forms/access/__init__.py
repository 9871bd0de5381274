"""Forms for members, accounts and requests of persons."""
