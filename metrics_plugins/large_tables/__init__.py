"""Captions in Parquet tables that are larger than memory, scored in parts into a folder of Parquet files.

Only the command for such tables imports this package, since it needs pyarrow.
"""
