"""The cache in files of one folder, for one server."""

from pathlib import Path
from typing import Any

from django.core.cache.backends.base import BaseCache
from django.core.cache.backends.filebased import FileBasedCache


class FolderCache(FileBasedCache):
    """Django's cache in files, which makes its folder when it stores the first value.

    Django's makes it when it is loaded, which its checks do in most commands, also in those that fail.
    """

    def __init__(self, folder: str, params: dict[str, Any]) -> None:
        BaseCache.__init__(self, params)
        self._dir = str(Path(folder).absolute())
