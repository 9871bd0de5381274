"""The kinds of background work of this app."""

from annotation_ui.simulation.jobs import SIMULATE

KINDS = (SIMULATE,)
