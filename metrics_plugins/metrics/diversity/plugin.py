"""The plugin of caption set metrics, with tokenisers."""

from collections.abc import Iterable

from metrics_plugins.api import Fittable, Metric, hookimpl
from metrics_plugins.api.providers import Tokenizer


@hookimpl
def register_metrics() -> Iterable[type[Metric] | type[Fittable]]:
    """Return the metrics of caption sets."""
    from metrics_plugins.metrics.diversity import accuracy, m_cider, mbleu, self_cider, words
    from metrics_plugins.metrics.diversity.coverage import Coverage
    from metrics_plugins.metrics.diversity.lsa import Lsa
    from metrics_plugins.metrics.diversity.novelty import Novelty

    return (
        Lsa,
        *(mbleu.MBleu1, mbleu.MBleu2, mbleu.MBleu3, mbleu.MBleu4, mbleu.MBleuMix),
        *(mbleu.MBleu1Corpus, mbleu.MBleu2Corpus, mbleu.MBleu3Corpus, mbleu.MBleu4Corpus),
        *(self_cider.SelfCider, self_cider.SelfCiderD, m_cider.MCider),
        *(accuracy.SetCider, accuracy.FBeta),
        *(words.Div1, words.Div2, words.VocabularySize, words.TypeTokenRatio),
        *(words.SegmentedRatio1, words.SegmentedRatio2),
        *(Novelty, Coverage),
    )


@hookimpl
def provide_tokenizer(name: str) -> Tokenizer | None:
    """Return the tokeniser `white-space`, `spacy-words` or `whole-caption`."""
    if name == "white-space":
        from metrics_plugins.metrics.diversity.tokenizers.white_space import WhiteSpaceTokenizer

        return WhiteSpaceTokenizer()
    if name in ("spacy-words", "whole-caption"):
        from metrics_plugins.metrics.diversity.tokenizers.study_tokens import SpacyWordsTokenizer, WholeCaptionTokenizer

        return SpacyWordsTokenizer() if name == "spacy-words" else WholeCaptionTokenizer()
    return None
