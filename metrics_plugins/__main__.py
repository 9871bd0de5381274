"""`python -m metrics_plugins`: list, check and score, without Django."""

import sys

from metrics_plugins.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
