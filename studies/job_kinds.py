"""The kinds of background work of this app."""

from studies.datasets.drafting.upload_jobs import CHECK, MAKE

KINDS = (CHECK, MAKE)
