"""`python -m metrics_plugins.scene_graph`: makes the table of concepts that SPICE-U reads."""

import sys

from metrics_plugins.scene_graph.tabulating import main

if __name__ == "__main__":
    sys.exit(main())
