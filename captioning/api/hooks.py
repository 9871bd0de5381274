"""The hook that a package of captioners implements, and the marker for implementations."""

from collections.abc import Iterable
from typing import Final

import pluggy

from captioning.api.captioner import Captioner

GROUP: Final = "accordance.captioners"
"""The group of entry points, and the pluggy project name."""

hookspec = pluggy.HookspecMarker(GROUP)
hookimpl = pluggy.HookimplMarker(GROUP)


@hookspec
def register_captioners() -> Iterable[type[Captioner]]:
    """Return the captioner classes of this package; called once when a registry loads.

    Two classes with the same id are refused, even from different packages.
    """
    raise NotImplementedError
