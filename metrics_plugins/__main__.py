"""`python -m metrics_plugins`: list, check and score, without Django."""

import sys

from execution.search_path import leave_out_working_folder
from execution.stopping import exiting_when_stopped

if __name__ == "__main__":
    # From the first moment: what follows imports much.
    with exiting_when_stopped():
        leave_out_working_folder(package_file=__file__)
        from metrics_plugins.cli.main import main

        sys.exit(main())
