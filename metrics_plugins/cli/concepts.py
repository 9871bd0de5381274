"""Make a table of concepts from a file of captions by image."""

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Final

from tqdm import tqdm

from metrics_plugins.api import Batch, MetricError
from metrics_plugins.api.providers import Tokenizer
from metrics_plugins.metrics.scene_graph.comparing import iterate_references
from metrics_plugins.metrics.scene_graph.concepts import ConceptTable, count_concepts
from metrics_plugins.metrics.scene_graph.graphs.naming import Name
from metrics_plugins.metrics.scene_graph.parsers import CaptionParser, choose_parser
from metrics_plugins.readers import InputError, read_captions
from metrics_plugins.runtime import load_registry

_IMAGES_PER_BLOCK: Final = 1000
_USAGE_EXIT: Final = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the table for the given arguments; return 0, or 2 if an argument or a file is invalid."""
    options = _make_parser().parse_args(arguments)
    try:
        check_place(options.out)
        tokenizer = load_registry().get_tokenizer(options.tokenizer)
        parser = choose_parser(options.tuples)
        captions = read_captions(options.captions).group_by_image()
        table = tabulate_concepts(captions, tokenizer=tokenizer, parser=parser)
        table.write(options.out, made_of={"tok": tokenizer.name, **parser.describe()})
    except (InputError, MetricError, OSError) as error:
        sys.stderr.write(f"error: {error}\n")
        return _USAGE_EXIT
    sys.stdout.write(f"{options.out}: {len(table.counts)} concepts of {table.n_images} images\n")
    return 0


def check_place(path: Path) -> None:
    """Raise `InputError` if the table could not be written, before any work is done."""
    if not path.name.endswith(".json.gz"):
        raise InputError(f"{path}: the name of a table of concepts must end in .json.gz")
    if path.is_dir() or not path.parent.is_dir():
        raise InputError(f"{path}: must be a file in an existing folder")


def tabulate_concepts(
    captions: Mapping[str, Sequence[str]], *, tokenizer: Tokenizer, parser: CaptionParser
) -> ConceptTable:
    """Count the images that mention each concept; the captions of an image are merged into one graph."""
    return count_concepts(_name_concepts(captions, tokenizer=tokenizer, parser=parser))


def _name_concepts(
    captions: Mapping[str, Sequence[str]], *, tokenizer: Tokenizer, parser: CaptionParser
) -> Iterator[tuple[int, tuple[Name, ...]]]:
    images = iter(captions.items())
    with tqdm(total=len(captions), file=sys.stderr, disable=None, unit="image") as progress:
        # Parsed captions need much more memory than their text, so images are processed in blocks.
        while block := dict(islice(images, _IMAGES_PER_BLOCK)):
            batch = Batch.make(block, references=block.values())
            for n_images, graph in iterate_references(batch, tokenizer=tokenizer, parser=parser):
                yield n_images, graph.names
            progress.update(len(block))


def _make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m metrics_plugins.cli.concepts",
        description="Count in how many images of a corpus each concept is mentioned, for SPICE-U.",
    )
    parser.add_argument(
        "--captions", required=True, type=Path, metavar="FILE", help="captions of images: COCO JSON, CSV, JSON lines"
    )
    parser.add_argument("--out", required=True, type=Path, metavar="FILE", help="the table to write (.json.gz)")
    parser.add_argument("--tokenizer", default="ptb", help="which tokens are parsed (default: ptb)")
    parser.add_argument("--tuples", metavar="FILE", help="take the tuples of captions from this file")
    return parser


if __name__ == "__main__":
    sys.exit(main())
