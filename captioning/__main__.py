"""`python -m captioning`: commands for worlds with captions of known truth."""

import sys

from execution.stopping import exiting_when_stopped

if __name__ == "__main__":
    # From the first moment: what follows imports much.
    with exiting_when_stopped():
        from captioning.cli import main

        sys.exit(main())
