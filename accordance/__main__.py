"""`python -m accordance`: the command `accordance`."""

import sys

from accordance.cli import main

if __name__ == "__main__":
    sys.exit(main())
