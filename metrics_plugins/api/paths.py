"""Parameters that name files: declared by their type."""

import inspect
from collections.abc import Callable
from enum import StrEnum
from typing import Annotated, Any, TypeAlias, get_args, get_type_hints


class PathKind(StrEnum):
    """What a parameter names."""

    FILE = "file"
    FOLDER = "folder"
    MEMBER = "member"
    MEMBERS = "members"
    ENCODER = "encoder"


FilePath: TypeAlias = Annotated[str, PathKind.FILE]
"""A parameter that names a file."""
FolderPath: TypeAlias = Annotated[str, PathKind.FOLDER]
"""A parameter that names a folder; `@bfloat16` or another mark may stand behind it."""
ArchiveMember: TypeAlias = Annotated[str, PathKind.MEMBER]
"""A parameter that names a file, or one in a zip: `ARCHIVE!MEMBER`."""
ArchiveMembers: TypeAlias = Annotated[str, PathKind.MEMBERS]
"""A parameter that names several such files, apart by commas."""
EncoderName: TypeAlias = Annotated[str, PathKind.ENCODER]
"""A parameter that names an encoder: one that a plugin provides, or a file or folder, as in `features:FILE`."""


def list_path_kinds(build: Callable[..., Any]) -> dict[str, PathKind]:
    """Return which parameters of a `build` are declared as paths, and as what."""
    try:
        hints = get_type_hints(build, include_extras=True)
    except Exception:  # a plugin's annotations may name anything
        return {}
    names = inspect.signature(build).parameters
    kinds = {name: find_path_kind(hints[name]) for name in names if name in hints}
    return {name: kind for name, kind in kinds.items() if kind}


def find_path_kind(hint: Any) -> PathKind | None:
    """Return what kind of path an annotation declares, also as a part of a union; None if it declares none."""
    if isinstance(kind := next(iter(getattr(hint, "__metadata__", ())), None), PathKind):
        return kind
    return next((kind for part in get_args(hint) if (kind := find_path_kind(part))), None)
