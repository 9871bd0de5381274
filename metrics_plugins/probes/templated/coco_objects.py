"""Detection of COCO's 80 categories of objects in captions, with the rules of CHAIR."""

from collections.abc import Sequence

from metrics_plugins.api import Batch
from metrics_plugins.metrics.chair.categories import CATEGORIES
from metrics_plugins.metrics.chair.mentions import derive_mentions
from metrics_plugins.text.plugin import PtbTokenizer
from metrics_plugins.text.ptb import tokenizer as ptb


def find_coco_objects(captions: Sequence[str]) -> list[list[str]]:
    """Return the names of the categories mentioned in each caption in their order, including repetitions.

    Words are the tokens of the COCO caption evaluation. The rules are those of CHAIR with its errors corrected, so that
    "bus" is found.
    """
    batch = Batch.make([str(row) for row in range(len(captions))], candidates=captions)
    tokenizer = PtbTokenizer(name="ptb", version=ptb.VERSION)
    mentions = derive_mentions(batch, tokenizer, rules="corrected").take(batch.candidate_rows)
    return [[CATEGORIES[category] for category in row] for row in mentions]
