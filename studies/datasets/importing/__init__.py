"""Reading published data sets and tables of judgments into closed studies; start at `formats.import_data`.

Every format is read whole and checked before anything is written, and written in one transaction.
"""
