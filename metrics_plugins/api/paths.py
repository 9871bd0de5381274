"""Types that declare parameters as names of files."""

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
"""A parameter that names a folder; a suffix such as `@bfloat16` may follow."""
ArchiveMember: TypeAlias = Annotated[str, PathKind.MEMBER]
"""A parameter that names a file, or a file in a zip archive: `ARCHIVE!MEMBER`."""
ArchiveMembers: TypeAlias = Annotated[str, PathKind.MEMBERS]
"""A parameter that names several such files, separated by commas."""
EncoderName: TypeAlias = Annotated[str, PathKind.ENCODER]
"""A parameter that names an encoder: one provided by a plugin, or a file or folder, as in `features:FILE`."""


def list_path_kinds(build: Callable[..., Any]) -> dict[str, PathKind]:
    """Return the parameters of a `build` that are declared as paths, with their kinds."""
    try:
        hints = get_type_hints(build, include_extras=True)
    except Exception:  # annotations in a plugin may refer to undefined names
        return {}
    names = inspect.signature(build).parameters
    kinds = {name: find_path_kind(hints[name]) for name in names if name in hints}
    return {name: kind for name, kind in kinds.items() if kind}


def find_path_kind(hint: Any) -> PathKind | None:
    """Return the kind of path that an annotation declares, directly or in a union; None if it declares none."""
    if isinstance(kind := next(iter(getattr(hint, "__metadata__", ())), None), PathKind):
        return kind
    return next((kind for part in get_args(hint) if (kind := find_path_kind(part))), None)
