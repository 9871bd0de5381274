"""Captions of the images of a phase by a bundled captioner that has learned from given captions of other images."""

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from captioning.api import CaptionerError, Images
from captioning.commands.writing import format_results
from captioning.readers import read_captioned, read_images
from captioning.readers.image_files import ImageSources
from captioning.runtime import load_captioners, run_captioner
from captioning.runtime.trained import train_captioner
from challenges.errors import ChallengeRefused
from challenges.models import Phase
from challenges.submissions.scoring import find_images
from metrics_plugins.readers import InputError


def caption_images(
    phase: Phase,
    *,
    captioner: str,
    captions: str,
    features: Path | None = None,
    test_features: Path | None = None,
    settings: Mapping[str, int] | None = None,
) -> bytes:
    """Return results for all images of a phase, with as many captions of each as the phase asks for.

    Args:
        phase: The phase; none of its references is read.
        captioner: The id of a bundled captioner that computes no gradients.
        captions: Files of training captions as for `read_captioned`, which are compared as lines of tokens.
        features: Features of the training images, if the captioner reads any.
        test_features: Features of the images of the phase; by default in the same file or folder.
        settings: Of the captioner.

    Raises:
        ChallengeRefused: A file is missing or invalid, or has captions of an image of the phase; or the captioner
            cannot give so many captions of an image.
    """
    keys = list(find_images(phase).values_list("key", flat=True))
    try:
        data = read_captioned(captions, ImageSources(features=features))
        shared = sorted(set(data.images.keys) & set(keys))
        if shared:
            raise ChallengeRefused(
                f"training captions must be of other images than those of the phase, got captions of {len(shared):,} "
                f"of its images, such as {shared[0]}"
            )
        files = ImageSources(features=test_features or features)
        images = read_images(files, keys=keys) if features else Images(keys=tuple(keys))
        with TemporaryDirectory() as folder:
            trained = train_captioner(
                load_captioners(outside=False), captioner, data, data, folder=Path(folder), seed=0, settings=settings
            )
        batch = run_captioner(trained, images, n=phase.captions_per_image, rng=np.random.default_rng(0))
    except (CaptionerError, InputError, OSError) as error:
        raise ChallengeRefused(str(error)) from error
    return format_results(batch)
