from metrics_plugins.runtime import load_registry
from metrics_plugins.runtime.sandbox import FormParameter
from studies.scoring.plugins.installed import InstalledMetric, list_plugins


def test_list_plugins_has_every_metric_of_the_registry():
    registry = load_registry()

    plugins = list_plugins()

    assert [metric.id for metric in plugins.metrics] == list(registry.metrics)
    assert plugins.refused == registry.refused


def test_list_plugins_describes_a_metric():
    (metric,) = [metric for metric in list_plugins().metrics if metric.id == "cider-d"]
    registration = load_registry().get("cider-d")

    assert metric == InstalledMetric(
        id="cider-d",
        title="CIDEr-D",
        level="segment",
        inputs=("candidate", "references"),
        bounds="0 to 10",
        direction="higher",
        fits_on="references",
        version=registration.info.version,
        citation=registration.info.citation,
        resources=(),
        available=True,
        missing=(),
        install=(),
        plugin="ngram",
        distribution=registration.distribution,
        parameters=(
            FormParameter("n", "int", 4),
            FormParameter("sigma", "float", 6.0),
            FormParameter("df", "str", "", path="member"),
            FormParameter("tokenizer", "str", "ptb"),
        ),
        deterministic=True,
        bundled=True,
    )
    assert (metric.group, metric.origin) == ("ngram", registration.distribution)


def test_list_plugins_says_where_there_is_no_bound():
    (metric,) = [metric for metric in list_plugins().metrics if metric.id == "length"]

    assert metric.bounds == "0 to no bound"
