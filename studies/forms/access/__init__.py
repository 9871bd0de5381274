"""Who works on a study, accounts, requests of persons."""
