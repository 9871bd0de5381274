"""The named protocols, which turn judgments and scores into published numbers.

Published results differ in the rows used, the references, the aggregation of judgments, the tau variant and the
handling of ties. A number cannot be reproduced without its protocol.

References
----------
.. [1] M. Hodosh, P. Young, J. Hockenmaier (2013). Framing Image Description as a Ranking Task. JAIR 47.
.. [2] J. Hessel et al. (2021). CLIPScore. EMNLP, appendix A. doi:10.18653/v1/2021.emnlp-main.595
.. [3] R. Vedantam, C. L. Zitnick, D. Parikh (2015). CIDEr. CVPR, section 5.
.. [4] Z. Wang et al. (2020). Towards Unique and Informative Captioning of Images. ECCV, table 2.
.. [5] Q. Wang, A. B. Chan (2019). Describing Like Humans: on Diversity in Image Captioning. CVPR.
.. [6] X. Chen et al. (2015). Microsoft COCO Captions. arXiv 1504.00325; the 2015 challenge's criteria M1 ... M5.
.. [7] S. Aditya et al. (2018). Image Understanding using vision and reasoning through Scene Description Graph. CVIU.
.. [8] Z. Zhou, Z. Zhang, X. Xu, Z. Xie, M. Wu, K. Q. Zhu (2022). Can Audio Captions Be Evaluated with Image Caption
   Metrics? ICASSP. arXiv 2110.04684; what its experiment counts: github.com/blmoistawinde/fense, experiment/main.py.
.. [9] H. Xie, T. Sherborne, A. Kuhnle, A. Copestake (2019). Going Beneath the Surface: Evaluating Image Captioning for
   Grammaticality, Truthfulness and Diversity. arXiv 1912.08960.
.. [10] J. Kasai et al. (2022). Transparent Human Evaluation for Image Captioning. NAACL. arXiv 2111.08940.
.. [11] Y. Wada, K. Kaneda, D. Saito, K. Sugiura (2024). Polos: Multimodal Metric Learning from Human Feedback for Image
   Captioning. CVPR.
.. [12] K. Matsuda, Y. Wada, K. Sugiura (2024). DENEB: A Hallucination-Robust Automatic Evaluation Metric for Image
   Captioning. ACCV. arXiv 2409.19255.
.. [13] H. Lee et al. (2021). UMIC: An Unreferenced Metric for Image Captioning via Contrastive Learning. ACL.
.. [14] R. Shekhar et al. (2017). FOIL it! Find One mismatch between Image and Language caption. ACL.
.. [15] Z. Parekh et al. (2021). Crisscrossed Captions. EACL. arXiv 2004.15020.
"""

from collections.abc import Mapping
from types import MappingProxyType

from correlation.errors import CorrelationInputError, UnknownNameError
from correlation.protocols.recipe import OPTIONS, REFERENCE_RULES, Measure, Protocol, ReferenceRule, read_options
from correlation.protocols.row import TOTAL

__all__ = ["PROTOCOLS", "Measure", "Protocol", "ReferenceRule", "get_protocol"]

PASCAL_CATEGORIES = ("HC", "HI", "HM", "MM")


def _judge_pairs(name: str, *, source: str, categories: tuple[str, ...] = ()) -> Protocol:
    """Return a protocol of the accuracy by which a metric chooses as most people do; equal scores are wrong."""
    return Protocol(
        name=name,
        source=source,
        references=REFERENCE_RULES["set"],
        ratings="majority",
        measures=(Measure("pair", "accuracy"),),
        ties="wrong",
        categories=categories,
    )


PROTOCOLS: Mapping[str, Protocol] = MappingProxyType(
    {
        protocol.reference: protocol
        for protocol in (
            Protocol(
                name="flickr8k-expert",
                source="judgments [1]; protocol [2]",
                drop_candidates_in_references=True,
                references=REFERENCE_RULES["all"],
                ratings="each",
                measures=(Measure("item", "kendall-c"),),
            ),
            Protocol(
                name="flickr8k-cf",
                source="judgments [1]; protocol [2]",
                references=REFERENCE_RULES["exclude-candidates-per-image"],
                ratings="share-of-yes",
                measures=(Measure("item", "kendall-b"),),
            ),
            # The five shipped references are fixed, so no seed is needed; [2] instead draws 5 of the 48 five times.
            _judge_pairs("pascal-50s", source="judgments [3], 48 votes; protocol [2]", categories=PASCAL_CATEGORIES),
            Protocol(
                name="spice-u-pascal",
                source="judgments [3], 11 direct votes; protocol [4]",
                references=REFERENCE_RULES["all"],
                ratings="majority",
                measures=(Measure("pair", "accuracy"), Measure("pair", "pearson")),
                ties="first",
                categories=PASCAL_CATEGORIES,
            ),
            Protocol(
                name="diversity",
                source="[5]",
                references=REFERENCE_RULES["all"],
                ratings="mean",
                measures=(Measure("item", "pearson"), Measure("item", "spearman"), Measure("group", "spearman")),
            ),
            Protocol(
                name="coco-2015",
                source="[6]",
                references=REFERENCE_RULES["all"],
                ratings="mean",
                measures=(Measure("system", "pearson"),),
                criteria=("M1", "M2", "M3", "M4", "M5"),
            ),
            Protocol(
                name="composite",
                source="judgments [7]; protocol [2]",
                references=REFERENCE_RULES["exclude-candidate-per-row"],
                ratings="each",
                measures=(Measure("item", "kendall-c"),),
            ),
            # [8] chooses references pair by pair, which `import_data fense` stores as a set: see docs/protocols.md.
            _judge_pairs("fense", source="[8]", categories=(*PASCAL_CATEGORIES, TOTAL)),
            # The captions of people, which were judged too, are left out of the references when the data are imported.
            Protocol(
                name="thumb",
                source="[10]",
                references=REFERENCE_RULES["all"],
                ratings="each",
                measures=(Measure("item", "pearson"),),
                criteria=("total", "P", "R"),
            ),
            *(
                Protocol(
                    name=name,
                    source=source,
                    references=REFERENCE_RULES[references],
                    ratings="each",
                    measures=(Measure("item", "kendall-c"), Measure("item", "pearson")),
                )
                for name, source, references in (
                    ("polaris", "[11]", "set"),
                    ("nebula", "[12]", "set"),
                    ("capeval1k", "[13]", "all"),
                )
            ),
            _judge_pairs("foil", source="captions [14]; protocol [2]"),
            Protocol(
                name="crisscrossed",
                source="judgments [15]",
                references=REFERENCE_RULES["exclude-candidate-per-row"],
                ratings="mean",
                measures=(Measure("item", "spearman"), Measure("item", "pearson")),
            ),
            _judge_pairs("triplet", source="[3], single votes of the consensus study"),
            # [9] compares curves only; the coefficients are those for a judgment that is true or false.
            Protocol(
                name="gtd-truth",
                source="truth of captions in known worlds [9]; coefficients by Accordance",
                references=REFERENCE_RULES["all"],
                ratings="each",
                measures=(
                    Measure("item", "kendall-b"),
                    Measure("item", "point-biserial"),
                    Measure("item", "auc"),
                    Measure("system", "kendall-b"),
                    Measure("system", "pearson"),
                ),
            ),
        )
    }
)
CUSTOM = "custom"
CUSTOM_NEEDS = ("rows", "references", "ratings", "measures")


def get_protocol(name: str, **options: object) -> Protocol:
    """Return the protocol of this name, `flickr8k-expert` (newest version) or `flickr8k-expert@1`, with options.

    `custom` has no defaults: `rows`, `references`, `ratings` and `measures` (for pairs also `ties`) are required.
    Options are those of `Protocol.with_options`.

    Raises
    ------
    UnknownNameError
        The protocol or option is unknown; the message lists the known names.
    CorrelationInputError
        A required option of `custom` is missing.

    Examples
    --------
    >>> get_protocol("pascal-50s@1").ties
    'wrong'
    >>> get_protocol("custom", rows="all", references="all", ratings="mean", measures="item:pearson").signature
    'custom@1|rows:all|refs:all|ratings:mean|level:item|coef:pearson'
    """
    if name in (CUSTOM, f"{CUSTOM}@1"):
        return _build_custom(options)
    if name in PROTOCOLS:
        return PROTOCOLS[name].with_options(**options)
    versions = [protocol for protocol in PROTOCOLS.values() if protocol.name == name]
    if not versions:
        raise UnknownNameError("protocol", name, (*PROTOCOLS, f"{CUSTOM}@1"))
    return max(versions, key=lambda protocol: protocol.version).with_options(**options)


def _build_custom(options: Mapping[str, object]) -> Protocol:
    missing = [option for option in CUSTOM_NEEDS if option not in options]
    if missing:
        raise CorrelationInputError(
            f"protocol custom has no defaults, missing: {', '.join(missing)} (options: {', '.join(OPTIONS)})"
        )
    return Protocol(name=CUSTOM, source="chosen by the user", **read_options(CUSTOM, options))
