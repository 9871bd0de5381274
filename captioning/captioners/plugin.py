"""The plugin of the bundled captioners."""

from captioning.api import Captioner, hookimpl

CAPTIONERS: tuple[type[Captioner], ...] = ()


@hookimpl
def register_captioners() -> tuple[type[Captioner], ...]:
    return CAPTIONERS
