"""COCO's 80 kinds of objects, found in captions as CHAIR finds them."""

from collections.abc import Sequence

from metrics_plugins.api import Batch
from metrics_plugins.metrics.chair.categories import CATEGORIES
from metrics_plugins.metrics.chair.mentions import derive_mentions
from metrics_plugins.text import ptb
from metrics_plugins.text.plugin import PtbTokenizer


def find_coco_objects(captions: Sequence[str]) -> list[list[str]]:
    """Return the names of the categories that each caption mentions, in its order, one mentioned twice twice.

    Words are the tokens of the COCO caption evaluation, and the rules CHAIR's with its mistakes mended: a bus is found.
    """
    batch = Batch.make([str(row) for row in range(len(captions))], candidates=captions)
    tokenizer = PtbTokenizer(name="ptb", version=ptb.VERSION)
    mentions = derive_mentions(batch, tokenizer, rules="mended").take(batch.candidate_rows)
    return [[CATEGORIES[category] for category in row] for row in mentions]
