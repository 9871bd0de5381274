"""The channel for the plain study link, which does not identify raters."""

from collections.abc import Mapping

from annotation_ui.channels.base import Arrival, Channel


class LinkChannel(Channel):
    needs_arrival = False

    def read_arrival(self, query: Mapping[str, str]) -> Arrival | None:
        return None
