"""What runs captioners: their registry, checked calls, folders of trained captioners, and the conformance kit."""

from captioning.runtime.loading import load_captioners
from captioning.runtime.registry import CaptionerContext, CaptionerRegistry, RegisteredCaptioner
from captioning.runtime.running import run_captioner, run_scores

__all__ = [
    "CaptionerContext",
    "CaptionerRegistry",
    "RegisteredCaptioner",
    "load_captioners",
    "run_captioner",
    "run_scores",
]
