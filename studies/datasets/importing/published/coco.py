"""COCO captions: an annotation file with references, and one result file per system.

Source: X. Chen et al. (2015), Microsoft COCO Captions: Data Collection and Evaluation Server, arXiv 1504.00325.
"""

import re
from collections.abc import Container, Mapping, Sequence
from typing import Any, Final

from studies.datasets.importing.files.json_files import check_list, check_object, read_json
from studies.datasets.importing.options import ImportOptions
from studies.datasets.importing.published.coco_sources import find_sources
from studies.datasets.importing.records import CandidateRecord, DatasetRecord, StudyRecord, SystemRecord
from studies.datasets.importing.values import read_key, read_text
from studies.design.study_design import ScalePoint, StudyDesign
from studies.enums import TaskKind
from studies.shared.errors import ImportFailed, SourceLocation, Unquoted
from studies.shared.files import SourceFile, digest_files

_SOURCE: Final = "Chen et al. (2015), Microsoft COCO Captions, arXiv 1504.00325. Annotations are CC BY 4.0."
_RESULT_NAME: Final = re.compile(r"(?:captions_[^_]+_)?(.+?)(?:_results)?\.json")
# Criterion M3 of the 2015 challenge, which names only the ends of its scale; its judgments were not published.
_DESIGN: Final = StudyDesign(
    question="How correct is the caption?",
    scale=(
        ScalePoint(1, "incorrect"),
        ScalePoint(2, "2"),
        ScalePoint(3, "3"),
        ScalePoint(4, "4"),
        ScalePoint(5, "correct"),
    ),
)


def read_coco(options: ImportOptions) -> DatasetRecord:
    """Read references and results; the dataset contains only the images that have results.

    The study has no items, since results have no judgments; they can be scored nevertheless.
    """
    sources = find_sources(options)
    results = {name_system(file): read_results(file) for file in sources.results}
    if len(results) < len(sources.results):
        names = ", ".join(file.name for file in sources.results)
        raise ImportFailed("--results", "must be files of different systems", got=Unquoted(names))
    _check_same_images(sources.results, list(results.values()))
    references = read_annotations(sources.annotations)
    images = list(next(iter(results.values())))
    _check_annotated(images, references, sources.results[0], annotations=sources.annotations)
    name = options.study or "coco"
    study = StudyRecord(
        name=name,
        title="COCO caption results",
        kind=TaskKind.RATING,
        protocol="coco-2015@1",
        design=_DESIGN,
        raters=(),
        are_placeholders=True,
        items=(),
        rows_read=sum(map(len, results.values())),
    )
    return DatasetRecord(
        name=name,
        title="COCO captions",
        source=_SOURCE,
        digest=digest_files([sources.annotations, *sources.results]),
        references={image: references[image] for image in images},
        systems=[SystemRecord(system) for system in results],
        candidates=[
            CandidateRecord(f"{system}:{image}", image, system, caption)
            for system, captions in results.items()
            for image, caption in captions.items()
        ],
        studies=[study],
        left_out=sources.left_out,
    )


def name_system(file: SourceFile) -> str:
    """Return the algorithm in `captions_<split>_<algorithm>_results.json`; for other names the stem."""
    match = _RESULT_NAME.fullmatch(file.name)
    return read_key(match[1] if match else file.name, SourceLocation(file.name, "its name"), longest=100)


def read_results(file: SourceFile) -> dict[str, str]:
    """Read `[{"image_id": ..., "caption": ...}, ...]`: one caption per image, in file order."""
    captions: dict[str, str] = {}
    for number, record in enumerate(check_list(read_json(file), SourceLocation(file.name)), start=1):
        location = SourceLocation(file.name, f"record {number}")
        check_object(record, location, fields=("image_id", "caption"))
        image = read_key(record["image_id"], location.at("image_id"), longest=140)
        if image in captions:
            first = list(captions).index(image) + 1
            raise ImportFailed(location.at("image_id"), f"already has a caption in record {first}", got=Unquoted(image))
        captions[image] = read_text(record["caption"], location.at("caption"))
    if not captions:
        raise ImportFailed(file.name, "holds no results")
    return captions


def read_annotations(file: SourceFile) -> dict[str, list[str]]:
    """Read `{"images": [{"id": ...}], "annotations": [{"image_id": ..., "caption": ...}]}`: captions by image."""
    refused: list[ImportFailed] = []
    references = collect_annotations(file, refused=refused)
    if refused:
        raise refused[0]
    return references


def collect_annotations(file: SourceFile, *, refused: list[ImportFailed]) -> dict[str, list[str]]:
    """Read the same as `read_annotations`; errors of single records are added to `refused`.

    Raises:
        ImportFailed: The file does not consist of images and annotations.
    """
    data = check_object(read_json(file), SourceLocation(file.name), fields=("images", "annotations"))
    images, annotations = (
        check_list(data[part], SourceLocation(file.name, field=part)) for part in ("images", "annotations")
    )
    references: dict[str, list[str]] = {}
    for number, record in enumerate(images, start=1):
        try:
            references[_read_image(record, SourceLocation(file.name, f"image {number}"))] = []
        except ImportFailed as error:
            refused.append(error)
    for number, record in enumerate(annotations, start=1):
        try:
            image, caption = _read_annotation(
                record, SourceLocation(file.name, f"annotation {number}"), images=references
            )
        except ImportFailed as error:
            refused.append(error)
        else:
            references[image].append(caption)
    return references


def _read_image(record: Any, location: SourceLocation) -> str:
    return read_key(check_object(record, location, fields=("id",))["id"], location.at("id"), longest=200)


def _read_annotation(record: Any, location: SourceLocation, *, images: Container[str]) -> tuple[str, str]:
    check_object(record, location, fields=("image_id", "caption"))
    image = read_key(record["image_id"], location.at("image_id"), longest=200)
    if image not in images:
        raise ImportFailed(location.at("image_id"), "must be an id in images", got=Unquoted(image))
    return image, read_text(record["caption"], location.at("caption"))


def _check_same_images(files: Sequence[SourceFile], results: Sequence[Mapping[str, str]]) -> None:
    for file, captions in zip(files[1:], results[1:], strict=True):
        lacking, extra = len(results[0].keys() - captions.keys()), len(captions.keys() - results[0].keys())
        if lacking or extra:
            rule = (
                f"must cover the same images as {files[0].name}; import them as two studies, each with --results "
                "and --study"
            )
            got = Unquoted(f"{extra:,} images that are missing there, and {lacking:,} missing here")
            raise ImportFailed(file.name, rule, got=got)


def _check_annotated(
    images: Sequence[str], references: Mapping[str, Sequence[str]], file: SourceFile, *, annotations: SourceFile
) -> None:
    for number, image in enumerate(images, start=1):
        if not references.get(image):
            location = SourceLocation(file.name, f"record {number}", "image_id")
            raise ImportFailed(location, f"must be an image with captions in {annotations.name}", got=Unquoted(image))
