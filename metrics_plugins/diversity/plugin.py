"""The metrics of caption sets."""

from collections.abc import Iterable

from metrics_plugins.api import Fittable, Metric, hookimpl


@hookimpl
def register_metrics() -> Iterable[type[Metric] | type[Fittable]]:
    """Return LSA, mBLEU-1 to mBLEU-4 over sets and over corpora, and mBLEU-mix."""
    from metrics_plugins.diversity import mbleu
    from metrics_plugins.diversity.lsa import Lsa

    return (
        Lsa,
        *(mbleu.MBleu1, mbleu.MBleu2, mbleu.MBleu3, mbleu.MBleu4, mbleu.MBleuMix),
        *(mbleu.MBleu1Corpus, mbleu.MBleu2Corpus, mbleu.MBleu3Corpus, mbleu.MBleu4Corpus),
    )
