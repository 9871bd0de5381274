"""The entry point of the plugin, with nine adapted metrics."""

import sys
from pathlib import Path

from accordance_adapted_metrics.functions import rate_words
from metrics_plugins.adapters import adapt_command, adapt_function, adapt_sacrebleu, adapt_torchmetrics
from metrics_plugins.api import Resource, hookimpl

_FOLDER = Path(__file__).resolve().parent

WORDS = adapt_function(
    rate_words,
    id="outside-words",
    title="Words",
    bounds=(0.0, 1.0),
    higher_is_better=True,
    citation="An example",
    version="1",
)
BLEU = adapt_sacrebleu(
    "sacrebleu.metrics:BLEU",
    id="outside-bleu",
    title="BLEU (sacrebleu)",
    bounds=(0.0, 100.0),
    higher_is_better=True,
    citation="Post (2018), A call for clarity in reporting BLEU scores",
    version="1",
    options={"effective_order": True, "lowercase": True},
)
CHRF = adapt_sacrebleu(
    "sacrebleu.metrics:CHRF",
    id="outside-chrf",
    title="chrF",
    bounds=(0.0, 100.0),
    higher_is_better=True,
    citation="Popović (2015), chrF: character n-gram F-score for automatic MT evaluation",
    version="1",
    options={"word_order": 0},
)
TER = adapt_sacrebleu(
    "sacrebleu.metrics:TER",
    id="outside-ter",
    title="TER",
    bounds=(0.0, float("inf")),
    higher_is_better=False,
    citation="Snover et al. (2006), A study of translation edit rate with targeted human annotation",
    version="1",
)
TORCH_CHRF = adapt_torchmetrics(
    "torchmetrics.text:CHRFScore",
    id="outside-torch-chrf",
    title="chrF++ (torchmetrics)",
    bounds=(0.0, 1.0),
    higher_is_better=True,
    citation="Popović (2017), chrF++: words helping character n-grams",
    version="1",
    options={"n_word_order": 2},
)
TORCH_ROUGE = adapt_torchmetrics(
    "torchmetrics.text:ROUGEScore",
    id="outside-torch-rouge",
    title="ROUGE-L (torchmetrics)",
    bounds=(0.0, 1.0),
    higher_is_better=True,
    citation="Lin (2004), ROUGE: a package for automatic evaluation of summaries",
    version="1",
    options={"rouge_keys": "rougeL"},
    output="rougeL_fmeasure",
)
TORCH_WER = adapt_torchmetrics(
    "torchmetrics.text:WordErrorRate",
    id="outside-torch-wer",
    title="Word error rate (torchmetrics)",
    bounds=(0.0, float("inf")),
    higher_is_better=False,
    citation="An example",
    version="1",
    references="best",
)
SCRIPT = adapt_command(
    [sys.executable, str(_FOLDER / "answer.py")],
    id="outside-script",
    title="Letters found, by a script",
    bounds=(0.0, 1.0),
    higher_is_better=True,
    citation="An example",
    version="1",
    options={"floor": 0.0},
)
JAVA = adapt_command(
    ["java", "-XX:TieredStopAtLevel=1", str(_FOLDER / "Letters.java")],
    id="outside-java",
    title="Letters, by a Java program",
    bounds=(0.0, 1000.0),
    higher_is_better=True,
    citation="An example",
    version="1",
    reads_references=False,
    resources=(Resource("Java", programs=("java",), install="sudo apt-get install default-jre-headless"),),
)


@hookimpl
def register_metrics() -> tuple[type, ...]:
    """Offer all of them."""
    return WORDS, BLEU, CHRF, TER, TORCH_CHRF, TORCH_ROUGE, TORCH_WER, SCRIPT, JAVA
