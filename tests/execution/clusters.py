"""Real Dask clusters for tests: those of the benchmarks."""

from benchmarks.running_cluster import RunningCluster, run_cluster

__all__ = ["RunningCluster", "run_cluster"]
