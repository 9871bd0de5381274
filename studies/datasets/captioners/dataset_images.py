"""The images of a dataset as captioners read them: stored files, and files of features and objects."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

from captioning.api import CaptionerInfo, ImageInput, Images
from captioning.readers.feature_files import read_regions
from captioning.readers.objects import read_objects
from captioning.readers.pictures import read_pixels
from studies.datasets.captioners.errors import CannotCaption
from studies.models import Dataset, Image
from studies.storage.local_copies import make_local_copies

_FEATURES = ("features.npz", "features")
_OBJECTS = "objects.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnFiles:
    """Files with columns that a dataset does not store.

    Attributes:
        size: The height and width of pixels, to which pictures are resized; 0 for that of the stored files.
        features: A folder of `.npy` files or a `.npz` file, by image key.
        objects: A JSON file, by image key.
    """

    size: int = 0
    features: Path | None = None
    objects: Path | None = None


def find_files(dataset: Dataset) -> ColumnFiles:
    """Return the files that the operator put into the dataset's folder of `ACCORDANCE_RESOURCES`, by their names."""
    folder = Path(settings.ACCORDANCE_RESOURCES) / "datasets" / str(dataset.pk)
    features = next((folder / name for name in _FEATURES if (folder / name).exists()), None)
    objects = folder / _OBJECTS
    return ColumnFiles(features=features, objects=objects if objects.is_file() else None)


def check_columns(dataset: Dataset, info: CaptionerInfo, *, files: ColumnFiles) -> None:
    """Check that a dataset has what a captioner reads, without reading it.

    Raises:
        CannotCaption: It has no images, images without a file, or no file of features or objects.
    """
    images = Image.objects.filter(dataset=dataset)
    n_images = images.count()
    if not n_images:
        raise CannotCaption(f"dataset {dataset.name} has no images")
    if info.inputs & {ImageInput.FILES, ImageInput.PIXELS}:
        n_missing = images.filter(file="").count()
        if n_missing:
            raise CannotCaption(
                f"captioner {info.id} reads image files, but {n_missing:,} of {n_images:,} images of dataset "
                f"{dataset.name} have none"
            )
    given = {ImageInput.FEATURES: files.features, ImageInput.OBJECTS: files.objects}
    for column, path in given.items():
        if column in info.inputs and path is None:
            raise CannotCaption(
                f"captioner {info.id} reads the {column} of images, which dataset {dataset.name} does not have; an "
                f"operator can name a file: manage.py caption {dataset.name} --{column} PATH"
            )


@contextmanager
def open_images(dataset: Dataset, info: CaptionerInfo, *, files: ColumnFiles) -> Iterator[Images]:
    """Yield the images of a dataset with the columns that a captioner reads, in the order of the dataset.

    Raises:
        CannotCaption: As for `check_columns`; or the stored files differ in size and no size is given.
        BadImageFile: A file is damaged or lacks an image.
    """
    check_columns(dataset, info, files=files)
    rows = list(Image.objects.filter(dataset=dataset).order_by("pk"))
    keys = tuple(row.key for row in rows)
    needs_files = bool(info.inputs & {ImageInput.FILES, ImageInput.PIXELS})
    storage = Image._meta.get_field("file").storage  # type: ignore[union-attr]
    with make_local_copies(storage) as find_path:
        paths = tuple(find_path(row.file.name) for row in rows) if needs_files else ()
        has_pixels = ImageInput.PIXELS in info.inputs
        size = files.size or (_measure(paths, keys) if has_pixels else 0)
        objects = read_objects(files.objects) if files.objects and ImageInput.OBJECTS in info.inputs else None
        missing = [key for key in keys if objects is not None and key not in objects]
        if missing:
            raise CannotCaption(f"{files.objects} lacks {len(missing)} of {len(keys)} images, such as {missing[0]!r}")
        yield Images(
            keys=keys,
            files=paths if ImageInput.FILES in info.inputs else None,
            pixels=read_pixels(paths, size=size) if has_pixels else None,
            features=read_regions(files.features, keys)
            if files.features and ImageInput.FEATURES in info.inputs
            else None,
            objects=None if objects is None else tuple(objects[key] for key in keys),
        )


def _measure(paths: Sequence[Path], keys: Sequence[str]) -> int:
    from PIL import Image as Picture

    sizes: dict[tuple[int, int], str] = {}
    for path, key in zip(paths, keys, strict=True):
        try:
            with Picture.open(path) as picture:
                sizes.setdefault(picture.size, key)
        except OSError as error:
            raise CannotCaption(f"the stored file of image {key!r} cannot be read: {error}") from error
    (width, height), *others = sizes
    if others or width != height:
        raise CannotCaption(
            "the captioner reads pixels, but the stored images are not squares of one size "
            f"({', '.join(f'{w}x{h}' for w, h in list(sizes)[:3])}): give the size that it was trained with, by "
            "manage.py caption --size"
        )
    return width
