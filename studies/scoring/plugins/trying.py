"""Scores one caption with a bundled metric, for the metric's page; nothing is stored."""

import math
import shlex
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from metrics_plugins.api import Batch, FitsOn, Input, MetricError
from metrics_plugins.runtime.checks.sample import make_captions
from metrics_plugins.runtime.chunks import Chunk
from metrics_plugins.runtime.preparing import Learning
from metrics_plugins.runtime.sandbox import CatalogEntry, ChildFailed, ChildStopped, PluginChoice, SandboxLimits
from metrics_plugins.runtime.sandbox.limits import MEBIBYTE
from metrics_plugins.runtime.sessions import AskedMetric, SessionWatch, make_backend

TRY_SECONDS: Final = 20.0
_MEMORY: Final = 2048 * MEBIBYTE
_AT_ONCE: Final = 2
_WAIT_SECONDS: Final = 5.0
_KEY: Final = "typed"
_UNTYPED: Final = {Input.IMAGE: "the image itself", Input.WORLD: "the world that a caption describes"}

# Each trial starts a process; more of them at once would take the machine from raters.
_turns = threading.BoundedSemaphore(_AT_ONCE)


class NotTried(Exception):
    """No score was computed; the message says why, in a sentence without a full stop."""


@dataclass(frozen=True, slots=True)
class TriedScore:
    """The score of what was typed.

    Attributes:
        value: The score; None if it is undefined.
        signature: The signature of the score.
        n_examples: The number of example images whose references the metric learned from, besides those typed.
    """

    value: float | None
    signature: str
    n_examples: int = 0


def explain_untried(entry: CatalogEntry) -> str:
    """Return why a metric cannot be tried on its page, as a sentence; "" if it can."""
    info = entry.info
    if not entry.bundled:
        return "Only metrics that come with Accordance are run on this page."
    untyped = [text for name, text in _UNTYPED.items() if name in info.inputs]
    if untyped:
        return f"This metric reads {' and '.join(untyped)}, which cannot be entered here."
    if info.fits_on in (FitsOn.CAPTIONS, FitsOn.JUDGMENTS):
        return f"This metric must first be fitted on {info.fits_on}, which takes too long for a page."
    return ""


def write_command(entry: CatalogEntry) -> str:
    """Return the command that scores a file with a metric; FILE stands for each file that the metric needs.

    A plugin of a single file is named without its folder, which is a path of the server.
    """
    info = entry.info
    is_file = not entry.bundled and not entry.distribution
    needed = {
        "references": Input.REFERENCES in info.inputs or info.fits_on in (FitsOn.REFERENCES, FitsOn.JUDGMENTS),
        "worlds": Input.WORLD in info.inputs,
        "corpus": info.fits_on is FitsOn.CAPTIONS,
        "judged": info.fits_on is FitsOn.JUDGMENTS,
    }
    return " ".join(
        [
            "accordance score",
            *([f"--plugin {shlex.quote(entry.plugin)}"] if is_file else []),
            f"--metrics {info.id} --candidates FILE",
            *(f"--{name} FILE" for name, is_needed in needed.items() if is_needed),
        ]
    )


def try_metric(entry: CatalogEntry, *, captions: Sequence[str], references: Sequence[str]) -> TriedScore:
    """Return the score of a caption, or of a set of captions, in a process of its own with limits.

    A metric that learns from references, as CIDEr does, learns from those that were typed and those of example images:
    with a single image all n-grams would be equally rare.

    Args:
        entry: A metric without a reason in `explain_untried`.
        captions: One caption; for a metric of sets or systems, the captions of one set.
        references: The reference captions, none if the metric does not read them.

    Raises:
        NotTried: A resource is missing, a limit was exceeded, or the metric failed.
    """
    reason = explain_untried(entry)
    if reason:
        raise NotTried(reason.removesuffix("."))
    if not _turns.acquire(timeout=_WAIT_SECONDS):
        raise NotTried("other captions are being scored at the moment; try again in a few seconds")
    try:
        return _score(entry, captions, references)
    except ChildStopped:
        raise NotTried(f"it took longer than the {TRY_SECONDS:g} s allowed here; the machine may be busy") from None
    except ChildFailed as error:
        raise NotTried(error.reason) from error
    except OSError as error:
        raise NotTried("no process could be started for it") from error
    except MetricError as error:
        raise NotTried(" ".join(str(error).split()).removesuffix(".")) from error
    finally:
        _turns.release()


class _Deadline(SessionWatch):
    """Stops a session when its time is over."""

    def __init__(self) -> None:
        self._end = time.monotonic() + TRY_SECONDS

    def stop(self) -> bool:
        return time.monotonic() > self._end


def _score(entry: CatalogEntry, captions: Sequence[str], references: Sequence[str]) -> TriedScore:
    asked = AskedMetric(entry)
    limits = SandboxLimits(seconds=TRY_SECONDS, memory=_MEMORY)
    backend = make_backend("sandbox", plugins=PluginChoice(outside=False), limits=limits)
    batch = make_typed_batch(entry, captions=captions, references=references)
    examples = make_captions().columns[Input.REFERENCES]
    documents = Batch.make(
        [_KEY, *(f"example {number}" for number in range(len(examples)))], references=[tuple(references), *examples]
    )
    learns = entry.info.fits_on is FitsOn.REFERENCES
    learning = Learning(lambda: documents, scored_images=frozenset({_KEY}))
    with backend.open([asked], learning=learning, watch=_Deadline()) as session:
        signature = session.prepare(asked).signature
        session.fit(asked.id)
        (result,) = session.score([Chunk(0, batch, (asked.id,))], metrics=[asked.id], n_chunks=1)
    if result.values is None:
        raise NotTried(result.error.removesuffix("."))
    value = float(result.values[0])
    return TriedScore(value if math.isfinite(value) else None, signature, len(examples) if learns else 0)


def make_typed_batch(entry: CatalogEntry, *, captions: Sequence[str], references: Sequence[str]) -> Batch:
    """Return the batch of one row that a metric scores."""
    is_set = Input.CAPTION_SET in entry.info.inputs
    return Batch.make(
        [_KEY],
        candidates=None if is_set else [captions[0]],
        caption_sets=[tuple(captions)] if is_set else None,
        references=[tuple(references)],
        image_keys=[_KEY],
    )
