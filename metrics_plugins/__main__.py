"""`python -m metrics_plugins`: list, check and score, without Django."""

import sys

from execution.search_path import leave_out_working_folder
from execution.stopping import choose_exit, raise_at_sigterm

if __name__ == "__main__":
    try:
        raise_at_sigterm()
        leave_out_working_folder(package_file=__file__)
        from metrics_plugins.cli.main import main

        sys.exit(main())
    except KeyboardInterrupt as stopped:  # before the command begins
        sys.exit(choose_exit(stopped))
