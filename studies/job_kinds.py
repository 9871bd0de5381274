"""The kinds of background work of this app."""

from studies.domain.drafting.upload_jobs import CHECK, MAKE

KINDS = (CHECK, MAKE)
