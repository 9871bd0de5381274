"""The kinds of background work of this app."""

from annotation_ui.rehearsal.jobs import REHEARSE

KINDS = (REHEARSE,)
