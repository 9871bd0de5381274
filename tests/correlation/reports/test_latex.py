import re
from dataclasses import replace

import pytest

from correlation.reports.latex import escape_latex, print_latex
from correlation.reports.values import ReportMetric
from tests.correlation.reports.example import REPORT, make_pairs_report

EXPECTED = r"""% Needs \usepackage{booktabs}.
% Flickr8k & friends
% In brackets: 95 % percentile intervals over images x raters, 1,000 resamples.
% Letters: two metrics share a letter if and only if no significant difference was found between them @
(perm-both, 1,000 resamples, Holm, alpha 0.05).
% They compare rows with scores of all metrics; up to 5 are left out.
% †: above the human ceiling.
% length: undefined, the score is 1 throughout.
% Something was not made.
% Seed 7.
% flickr8k-expert@1|rows:all
% spice-u|v:1
% cider-d|v:1
\begin{tabular}{lllrr}
\toprule
metric & Kendall $\tau_c$ & Kendall $\tau_b$, people only & $n$ & missing \\
\midrule
spice\_u & $\mathbf{0.512}_{[0.490,\,0.535]}^{\mathrm{a}\dagger}$ &  & 16,992 & 3 \\
cider\textbar{}d & $-0.062_{[-0.125,\,0.000]}^{\mathrm{b}}$ &  & 16,995 & 0 \\
length & undefined &  & 0 & 16,995 \\
\midrule
\textit{people, mean-pairwise} & $0.500_{[0.450,\,0.550]}$ & $0.736$ & 16,992 &  \\
\bottomrule
\end{tabular}
""".replace("@\n", "")

PAIRS = r"""\begin{table}
\centering
\begin{tabular}{llllrr}
\toprule
 & \multicolumn{3}{c}{accuracy} &  &  \\
\cmidrule(lr){2-4}
metric & HC & H\_M & mean & $n$ & missing \\
\midrule
a & $\mathbf{0.50}$ & $\mathbf{0.75}$ & $\mathbf{0.62}$ & 8 & 0 \\
b & $\mathbf{0.50}$ & $0.50$ & $0.50$ & 8 & 0 \\
\bottomrule
\end{tabular}
\caption{100\% of the pairs Seed 7.}
\label{tab:pairs-1}
\end{table}
"""
HOSTILE = ["[0pt]", "*", "a & b \\\\", "50% off", "$x^2_i$", "{", "#1", "~", "a---b", "line\nbreak", "<|>", 'say "x"']
MARKUP = re.compile(r"%[^\n]*\n|\\begin\{(\w+)\}|\\end\{(\w+)\}|\\\\|\\[A-Za-z]+|\\.|[{}$&#_^~%]", re.DOTALL)


def test_report_is_printed_as_written_by_hand():
    assert print_latex(REPORT) == EXPECTED


def test_caption_makes_a_whole_table_and_categories_share_a_heading():
    printed = print_latex(make_pairs_report(), caption="100% of the pairs", label="tab:pairs_1", digits=2)

    assert printed == "% Needs \\usepackage{booktabs}.\n% pascal-50s@1\n" + PAIRS


@pytest.mark.parametrize("name", HOSTILE)
def test_any_name_leaves_sound_latex(name):
    rows = tuple(replace(row, metric=name) if row.metric == "length" else row for row in REPORT.rows)
    metrics = (*REPORT.metrics[:2], ReportMetric(name, name))
    report = replace(REPORT, title=name, rows=rows, metrics=metrics, notes=(name,))

    for printed in (print_latex(report), print_latex(report, caption=name, label=name)):
        check_latex(printed)
        table = cut_table(printed)
        assert len(table.splitlines()) == len(cut_table(EXPECTED).splitlines())
        assert not re.search(r"\\\\\s*[\[*]", table)


def cut_table(text):
    return text.split("\\begin{tabular}")[1].split("\\end{tabular}")[0]


def check_latex(text):
    """Braces, environments and mathematics are closed, every line of the tabular has as many cells as columns."""
    stack, is_math, cells, columns = [], False, 0, None
    for found in MARKUP.finditer(text):
        token = found[0]
        if token.startswith("\\begin"):
            stack.append(found[1])
            spec = re.match(r"\{(\w+)\}", text[found.end() :])
            columns = len(spec[1]) if found[1] == "tabular" else columns
        elif token.startswith("\\end{"):
            assert stack.pop() == found[2]
            columns = None if found[2] == "tabular" else columns
        elif token == "{":
            stack.append("{")
        elif token == "}":
            assert stack.pop() == "{"
        elif token == "$":
            is_math = not is_math
        elif token in "_^":
            assert is_math
        elif token == "&":
            cells += 1
        elif token == "\\multicolumn":
            cells += int(re.match(r"\{(\d+)\}", text[found.end() :])[1]) - 1
        elif token == "\\\\":
            assert cells + 1 == columns
            cells = 0
        else:
            assert token.startswith(("%", "\\"))
            assert token[0] != "%" or len(token) > 1
            assert token not in ("#", "~")
    assert stack == []
    assert not is_math


@pytest.mark.parametrize("text", [EXPECTED, PAIRS])
def test_checker_takes_sound_latex(text):
    check_latex(text)


@pytest.mark.parametrize(
    "text", ["{", "$x", "a_b", "\\begin{a}\\end{b}", "\\begin{tabular}{ll}\na \\\\\n\\end{tabular}", "a # b"]
)
def test_checker_refuses_what_does_not_compile(text):
    with pytest.raises(AssertionError):
        check_latex(text)


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("a_b", r"a\_b"),
        ("100 %", r"100 \%"),
        ("\\x{y}", r"\textbackslash{}x\{y\}"),
        ("a---b", "a-{}-{}-b"),
        ("Kendall τ-b", r"Kendall $\tau_b$"),
    ],
)
def test_escape(text, escaped):
    assert escape_latex(text) == escaped
