"""The publications that the cards of bundled metrics cite, with the facts that were checked against their texts."""

from typing import Final

from metrics_plugins.api import Publication

PAPINENI: Final = Publication(
    key="papineni2002bleu",
    kind="inproceedings",
    authors=("Papineni, K.", "Roukos, S.", "Ward, T.", "Zhu, W.-J."),
    title="BLEU: a method for automatic evaluation of machine translation",
    year=2002,
    venue="ACL",
)
LIN: Final = Publication(
    key="lin2004rouge",
    kind="inproceedings",
    authors=("Lin, C.-Y.",),
    title="ROUGE: a package for automatic evaluation of summaries",
    year=2004,
    venue="ACL Workshop",
)
DENKOWSKI: Final = Publication(
    key="denkowski2014meteor",
    kind="inproceedings",
    authors=("Denkowski, M.", "Lavie, A."),
    title="Meteor Universal: language specific translation evaluation for any target language",
    year=2014,
    venue="EACL Workshop on Statistical Machine Translation",
)
VEDANTAM: Final = Publication(
    key="vedantam2015cider",
    kind="inproceedings",
    authors=("Vedantam, R.", "Zitnick, C. L.", "Parikh, D."),
    title="CIDEr: consensus-based image description evaluation",
    year=2015,
    venue="CVPR",
)
CHEN: Final = Publication(
    key="chen2015coco",
    kind="misc",
    authors=(
        *("Chen, X.", "Fang, H.", "Lin, T.-Y.", "Vedantam, R."),
        *("Gupta, S.", "Dollár, P.", "Zitnick, C. L."),
    ),
    title="Microsoft COCO Captions: data collection and evaluation server",
    year=2015,
    venue="arXiv 1504.00325",
)
ANDERSON: Final = Publication(
    key="anderson2016spice",
    kind="inproceedings",
    authors=("Anderson, P.", "Fernando, B.", "Johnson, M.", "Gould, S."),
    title="SPICE: semantic propositional image caption evaluation",
    year=2016,
    venue="ECCV",
)
WANG_FENG: Final = Publication(
    key="wang2020towards",
    kind="inproceedings",
    authors=("Wang, Z.", "Feng, B.", "Narasimhan, K.", "Russakovsky, O."),
    title="Towards unique and informative captioning of images",
    year=2020,
    venue="ECCV",
)
WANG_WAN: Final = Publication(
    key="wang2020diversity",
    kind="article",
    authors=("Wang, Q.", "Wan, J.", "Chan, A. B."),
    title="On diversity in image captioning: metrics and methods",
    year=2020,
    venue="TPAMI",
)
SHETTY: Final = Publication(
    key="shetty2017speaking",
    kind="inproceedings",
    authors=("Shetty, R.", "Rohrbach, M.", "Hendricks, L. A.", "Fritz, M.", "Schiele, B."),
    title="Speaking the same language: matching machine to human captions by adversarial training",
    year=2017,
    venue="ICCV",
)
MILTENBURG: Final = Publication(
    key="vanmiltenburg2018measuring",
    kind="inproceedings",
    authors=("van Miltenburg, E.", "Elliott, D.", "Vossen, P."),
    title="Measuring the diversity of automatic image descriptions",
    year=2018,
    venue="COLING",
)
TEMPLIN: Final = Publication(
    key="templin1957certain",
    kind="book",
    authors=("Templin, M. C.",),
    title="Certain language skills in children: their development and interrelationships",
    year=1957,
    venue="University of Minnesota Press",
)
KUSNER: Final = Publication(
    key="kusner2015word",
    kind="inproceedings",
    authors=("Kusner, M.", "Sun, Y.", "Kolkin, N.", "Weinberger, K."),
    title="From word embeddings to document distances",
    year=2015,
    venue="ICML",
)
REIMERS: Final = Publication(
    key="reimers2019sentence",
    kind="inproceedings",
    authors=("Reimers, N.", "Gurevych, I."),
    title="Sentence-BERT: sentence embeddings using Siamese BERT-networks",
    year=2019,
    venue="EMNLP",
)
ZHANG: Final = Publication(
    key="zhang2020bertscore",
    kind="inproceedings",
    authors=("Zhang, T.", "Kishore, V.", "Wu, F.", "Weinberger, K. Q.", "Artzi, Y."),
    title="BERTScore: evaluating text generation with BERT",
    year=2020,
    venue="ICLR",
)
KHATTAB: Final = Publication(
    key="khattab2020colbert",
    kind="inproceedings",
    authors=("Khattab, O.", "Zaharia, M."),
    title="ColBERT: efficient and effective passage search via contextualized late interaction over BERT",
    year=2020,
    venue="SIGIR",
)
HESSEL: Final = Publication(
    key="hessel2021clipscore",
    kind="inproceedings",
    authors=("Hessel, J.", "Holtzman, A.", "Forbes, M.", "Le Bras, R.", "Choi, Y."),
    title="CLIPScore: a reference-free evaluation metric for image captioning",
    year=2021,
    venue="EMNLP",
)
ROHRBACH: Final = Publication(
    key="rohrbach2018object",
    kind="inproceedings",
    authors=("Rohrbach, A.", "Hendricks, L. A.", "Burns, K.", "Darrell, T.", "Saenko, K."),
    title="Object hallucination in image captioning",
    year=2018,
    venue="EMNLP",
)
XIE: Final = Publication(
    key="xie2019going",
    kind="misc",
    authors=("Xie, H.", "Sherborne, T.", "Kuhnle, A.", "Copestake, A."),
    title="Going beneath the surface: evaluating image captioning for grammaticality, truthfulness and diversity",
    year=2019,
    venue="arXiv 1912.08960",
)
CUI: Final = Publication(
    key="cui2018learning",
    kind="inproceedings",
    authors=("Cui, Y.", "Yang, G.", "Veit, A.", "Huang, X.", "Belongie, S."),
    title="Learning to evaluate image captioning",
    year=2018,
    venue="CVPR",
)
HOERL: Final = Publication(
    key="hoerl1970ridge",
    kind="misc",
    authors=("Hoerl", "Kennard"),
    title="Ridge regression",
    year=1970,
)
