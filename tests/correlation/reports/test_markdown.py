import pytest

from correlation.reports.markdown import escape_markdown, print_markdown
from tests.correlation.reports.example import REPORT, make_pairs_report

EXPECTED = r"""**Flickr8k \& friends**

| metric | Kendall τ-c | Kendall τ-b, people only | n | missing |
| --- | --- | --- | ---: | ---: |
| spice\_u | **0.512** [0.490, 0.535] a † |  | 16,992 | 3 |
| cider\|d | -0.062 [-0.125, 0.000] b |  | 16,995 | 0 |
| length | undefined |  | 0 | 16,995 |
| *people, mean-pairwise* | 0.500 [0.450, 0.550] | 0.736 | 16,992 |  |

In brackets: 95 % percentile intervals over images x raters, 1,000 resamples. Letters: two metrics \
share a letter if and only if no significant difference was found between them \
(perm-both, 1,000 resamples, Holm, alpha 0.05). They compare rows \
with scores of all metrics; up to 5 are left out. †: above the human ceiling. length: undefined, \
the score is 1 throughout. Something was not made. Seed 7.

- `flickr8k-expert@1|rows:all`
- `spice-u|v:1`
- `cider-d|v:1`
""".replace("\\\n", "")

PAIRS = r"""| metric | accuracy, HC | accuracy, H\_M | accuracy, mean | n | missing |
| --- | --- | --- | --- | ---: | ---: |
| a | **50.0** | **75.0** | **62.5** | 8 | 0 |
| b | **50.0** | 50.0 | 50.0 | 8 | 0 |

Seed 7.

- `pascal-50s@1`
"""


def test_report_is_printed_as_written_by_hand():
    assert print_markdown(REPORT) == EXPECTED


def test_categories_are_columns_and_percent_has_one_digit():
    assert print_markdown(make_pairs_report(), percent=True) == PAIRS


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("a|b", r"a\|b"),
        ("*x* _y_ `z`", r"\*x\* \_y\_ \`z\`"),
        ("<script>", r"\<script\>"),
        ("[a](b)", r"\[a\](b)"),
        ("back\\slash", r"back\\slash"),
        ("two\nlines", "two lines"),
    ],
)
def test_no_name_is_markup(text, escaped):
    assert escape_markdown(text) == escaped
