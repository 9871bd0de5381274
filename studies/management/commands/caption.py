"""Caption the images of a dataset, as a new system."""

import sys
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone
from tqdm import tqdm

from captioning.api import Decoding
from captioning.runtime import load_captioners
from captioning.runtime.trained import open_captioner
from studies.access.audit import COMMAND_LINE
from studies.datasets.captioners.dataset_images import ColumnFiles, find_files
from studies.datasets.captioners.writing import caption_dataset
from studies.management.printing.results import find_dataset
from studies.management.printing.values import add_json_argument, print_values
from studies.management.refusals import RefusingCommand


class Command(RefusingCommand):
    help = "Caption all images of a dataset: the captions become the candidates, or caption sets, of a new system."
    runs_plugins = True

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("dataset", metavar="DATASET")
        parser.add_argument("--captioner", metavar="ID", help="as `python -m captioning list` prints it")
        parser.add_argument("--folder", type=Path, metavar="FOLDER", help="a trained captioner, or a model's folder")
        parser.add_argument("--decoding", default="", metavar="METHOD,NAME=VALUE", help="default: greedy, as trained")
        parser.add_argument("-n", type=int, default=1, help="captions of an image (default: 1); more are caption sets")
        parser.add_argument("--system", metavar="NAME", help="name of the system (default: the captioner's id)")
        parser.add_argument("--features", type=Path, metavar="PATH", help="features by image key: a folder or .npz")
        parser.add_argument("--objects", type=Path, metavar="FILE", help="objects by image key: JSON")
        parser.add_argument("--size", type=int, default=0, metavar="PIXELS", help="height and width of pixels")
        parser.add_argument("--allow-empty", action="store_true", help="store captions without a word")
        parser.add_argument("--device", default="cpu", help="cpu, cuda, cuda:1, ... (default: cpu)")
        parser.add_argument("--seed", type=int, default=0, help="seed of sampled captions (default: 0)")
        add_json_argument(parser)

    def handle(self, *args: Any, **chosen: Any) -> None:
        dataset = find_dataset(chosen["dataset"])
        captioner = open_captioner(
            load_captioners(), chosen["captioner"], folder=chosen["folder"], device=chosen["device"]
        )
        known = find_files(dataset)
        files = ColumnFiles(
            size=chosen["size"],
            features=chosen["features"] or known.features,
            objects=chosen["objects"] or known.objects,
        )
        written = caption_dataset(
            dataset,
            captioner,
            system=chosen["system"] or captioner.info.id,
            now=timezone.now(),
            actor=COMMAND_LINE,
            n=chosen["n"],
            decoding=Decoding.parse(chosen["decoding"]) if chosen["decoding"] else None,
            seed=chosen["seed"],
            folder=chosen["folder"],
            files=files,
            allow_empty=chosen["allow_empty"],
            track=lambda steps, total, label: tqdm(
                steps, desc=label, total=total, file=sys.stderr, disable=None, leave=False
            ),
        )
        self.stdout.write(print_values(written) if chosen["json"] else str(written))
