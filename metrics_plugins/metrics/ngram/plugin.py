"""The plugin that registers the metrics of n-grams and common subsequences."""

from collections.abc import Iterable

from metrics_plugins.api import Fittable, Metric, hookimpl


@hookimpl
def register_metrics() -> Iterable[type[Metric] | type[Fittable]]:
    """Return BLEU-1 to BLEU-4, ROUGE-1, ROUGE-2, ROUGE-L, ROUGE-S, CIDEr, CIDEr-D and the length of the candidate."""
    from metrics_plugins.metrics.ngram.bleu import Bleu1, Bleu2, Bleu3, Bleu4
    from metrics_plugins.metrics.ngram.cider import Cider, CiderD
    from metrics_plugins.metrics.ngram.length import Length
    from metrics_plugins.metrics.ngram.rouge_l import RougeL
    from metrics_plugins.metrics.ngram.rouge_n import Rouge1, Rouge2
    from metrics_plugins.metrics.ngram.rouge_s import RougeS

    return Bleu1, Bleu2, Bleu3, Bleu4, Rouge1, Rouge2, RougeL, RougeS, Cider, CiderD, Length
