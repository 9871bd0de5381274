"""Where work is computed: in this process, in processes of this machine, or on a Dask cluster.

`make_executor` in `execution.factory` creates every kind of executor. Results do not depend on the kind.
"""
