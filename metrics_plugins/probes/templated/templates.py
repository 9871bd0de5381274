"""The object template, a caption that only lists the objects in the image.

Wang et al. (2020), "Towards Unique and Informative Captioning of Images", section 3.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal

from metrics_plugins.probes.templated.nouns import add_article, count_noun, is_plural

Articles = Literal["first", "each"]
Duplicates = Literal["drop", "count"]


def caption_objects(objects: Sequence[str], *, articles: Articles = "first", duplicates: Duplicates = "drop") -> str:
    """Return a caption that lists objects in the order of their first mention.

    The caption begins with "There is", or "There are" if the first object is plural; objects are separated by commas,
    the last one by "and" without a comma. White space within an object is replaced with a single space, and objects
    that differ only in case are the same. Without objects the caption is "".

    Args:
        objects: Nouns such as "tennis ball"; empty ones are ignored.
        articles: `first` puts "a" or "an" before the first object only, as in the paper's example; `each` before every
            object. Plurals ("scissors") have no article.
        duplicates: `drop` mentions an object once; `count` states the number: "two dogs", or "many" above ten.

    >>> caption_objects(["tennis ball", "court", "person", "person"])
    'There is a tennis ball, court and person'
    >>> caption_objects(["dog", "dog", "apple"], articles="each", duplicates="count")
    'There are two dogs and an apple'
    """
    spellings: dict[str, str] = {}
    for name in objects:
        spelling = " ".join(name.split())
        if spelling:
            spellings.setdefault(spelling.lower(), spelling)
    if not spellings:
        return ""
    numbers = Counter(" ".join(name.split()).lower() for name in objects)
    phrases = []
    for place, (known, noun) in enumerate(spellings.items()):
        if duplicates == "count" and numbers[known] > 1:
            phrases.append(count_noun(noun, numbers[known]))
        else:
            phrases.append(add_article(noun) if articles == "each" or place == 0 else noun)
    first = next(iter(spellings))
    is_many = is_plural(first) or (duplicates == "count" and numbers[first] > 1)
    return f"There {'are' if is_many else 'is'} {_join(phrases)}"


def caption_images(
    objects: Mapping[str, Sequence[str]], *, articles: Articles = "first", duplicates: Duplicates = "drop"
) -> dict[str, str]:
    """Return the caption of each image from its objects; arguments are as in `caption_objects`."""
    return {
        image_id: caption_objects(found, articles=articles, duplicates=duplicates)
        for image_id, found in objects.items()
    }


def _join(phrases: Sequence[str]) -> str:
    *before, last = phrases
    return f"{', '.join(before)} and {last}" if before else last
