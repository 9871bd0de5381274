"""The refusal of captioning a dataset."""

from studies.shared.errors import Refusal


class CannotCaption(Refusal):
    """A captioner cannot caption the images of a dataset; the message says why."""
