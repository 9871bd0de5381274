"""Imports data sets and tables of judgments as closed studies, each in one transaction, by `formats.import_data`."""
