"""A Dask cluster as an executor: connection, faults, and the check that its workers are like this process."""
