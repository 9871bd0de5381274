"""Images from files: the columns of `Images` that a command or page names, matched by image key."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from captioning.api import Images
from captioning.readers.errors import BadImageFile
from captioning.readers.feature_files import list_keys, read_regions
from captioning.readers.objects import read_objects
from captioning.readers.pictures import list_pictures, read_pixels


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageSources:
    """Where the columns of images come from; at least one is given.

    Attributes:
        pictures: A folder of pictures.
        size: The height and width of pixels, to which pictures are resized; 0 for no pixels.
        features: A folder of `.npy` files or a `.npz` file of vectors or regions.
        objects: A JSON file of objects.
    """

    pictures: Path | None = None
    size: int = 0
    features: Path | None = None
    objects: Path | None = None


def read_images(sources: ImageSources, *, keys: Sequence[str] | None = None) -> Images:
    """Return images with the columns of all given sources.

    Args:
        sources: The files.
        keys: The images; by default all of the first source that is given, in the order of `ImageSources`.

    Raises:
        BadImageFile: No source is given, a file is invalid, or a source lacks an image.
    """
    pictures = list_pictures(sources.pictures) if sources.pictures else None
    objects = read_objects(sources.objects) if sources.objects else None
    if keys is None:
        keys = _find_keys(sources, pictures=pictures, objects=objects)
    for found, where in ((pictures, sources.pictures), (objects, sources.objects)):
        missing = [key for key in keys if found is not None and key not in found]
        if missing:
            raise BadImageFile(f"{where}: lacks {len(missing)} of {len(keys)} images, such as {missing[0]!r}")
    if sources.size and pictures is None:
        raise BadImageFile("pixels are read from pictures: a folder of pictures must be given")
    files = tuple(pictures[key] for key in keys) if pictures is not None else None
    return Images(
        keys=tuple(keys),
        files=files,
        pixels=read_pixels(files, size=sources.size) if files is not None and sources.size else None,
        features=read_regions(sources.features, keys) if sources.features else None,
        objects=tuple(objects[key] for key in keys) if objects is not None else None,
    )


def _find_keys(
    sources: ImageSources, *, pictures: dict[str, Path] | None, objects: dict[str, tuple[str, ...]] | None
) -> tuple[str, ...]:
    if pictures is not None:
        return tuple(pictures)
    if sources.features is not None:
        keys = list_keys(sources.features)
        if not keys:
            raise BadImageFile(f"{sources.features}: must have features of images, got none")
        return keys
    if objects is not None:
        return tuple(objects)
    raise BadImageFile("images must be given: a folder of pictures, features or objects")
