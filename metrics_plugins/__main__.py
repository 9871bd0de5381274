"""`python -m metrics_plugins`: list, check and score, without Django."""

import sys

if __name__ == "__main__":
    try:
        from metrics_plugins.cli.main import main

        sys.exit(main())
    except KeyboardInterrupt:  # before the command begins
        sys.exit(130)
