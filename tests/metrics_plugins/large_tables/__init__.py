"""Tests of tables larger than memory, with real Parquet files."""
