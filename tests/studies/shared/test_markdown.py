"""Tests of researchers' texts as HTML: plain text, and Markdown without anything that runs or loads."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studies.shared.markdown import render_markdown

LINK = 'rel="nofollow noopener noreferrer" target="_blank"'


def test_plain_text_is_paragraphs_and_line_breaks() -> None:
    text = "Look at the image first.\nThen read.\n\n    Indented on purpose, 3 < 4 & 5 > 2.\n"

    assert render_markdown(text) == (
        "<p>Look at the image first.<br>\nThen read.</p>\n<p>Indented on purpose, 3 &lt; 4 &amp; 5 &gt; 2.</p>\n"
    )


def test_markdown_is_rendered() -> None:
    assert render_markdown("1. Look\n2. *Read* **all**\n\n> quoted `code`") == (
        "<ol>\n<li>Look</li>\n<li><em>Read</em> <strong>all</strong></li>\n</ol>\n"
        "<blockquote>\n<p>quoted <code>code</code></p>\n</blockquote>\n"
    )


@pytest.mark.parametrize(
    ("text", "levels"),
    [
        ("# a", "2"),
        ("### a", "2"),
        ("# a\n## b\n# c", "232"),
        ("# a\n#### b\n##### c", "234"),
        ("a\n===\n\nb\n---", "23"),
    ],
)
def test_headings_go_under_those_of_the_page_without_a_gap(text, levels) -> None:
    html = render_markdown(text)

    assert "".join(re.findall(r"<h(\d)>", html)) == levels
    assert "".join(re.findall(r"</h(\d)>", html)) == levels


@pytest.mark.parametrize("address", ["https://example.org/a?b=1", "http://example.org", "mailto:me@example.org"])
def test_links_open_apart_and_tell_nothing(address) -> None:
    assert render_markdown(f"[here]({address})") == f'<p><a href="{address}" {LINK}>here</a></p>\n'
    assert render_markdown(f"<{address}>").startswith(f'<p><a href="{address}" {LINK}>')


@pytest.mark.parametrize(
    "text",
    [
        "[x](javascript:alert(1))",
        "[x](JaVaScRiPt:alert(1))",
        "[x](&#106;avascript:alert(1))",
        "[x](java\nscript:alert(1))",
        "[x](data:text/html;base64,PHNjcmlwdD4=)",
        "[x](vbscript:x)",
        "[x](/admin/)",
        "[x](//evil.example)",
        "<javascript:alert(1)>",
        "[x]: javascript:alert(1)\n\n[x]",
    ],
)
def test_other_addresses_are_no_links(text) -> None:
    assert "<a" not in render_markdown(text)


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "a <b onclick=x>b</b>",
        "<!-- -->",
        "![a](https://example.org/a.png)",
        '[a](https://example.org "x\\" onclick=\\"y")',
        "```html\n<script>\n```",
        "<style>",
        "&lt;script&gt;",
    ],
)
def test_nothing_runs_or_loads(text) -> None:
    html = render_markdown(text)

    assert re.findall(r"<(?!/?(?:p|a|code|pre)\b)", html) == []
    assert re.findall(r"<[^>]*\son\w+=[^>]*>", re.sub(r'"[^"]*"', '""', html)) == []


@given(st.text(alphabet="<>[]()!*_`#\\\"'&;:/ \nabjscriptdaml=0x", max_size=80))
def test_no_text_gets_a_tag_through(text) -> None:
    tags = re.findall(r"<\s*/?\s*([^\s>/]*)", render_markdown(text))

    allowed = {"p", "br", "a", "em", "strong", "code", "pre", "ul", "ol", "li", "blockquote", "hr", "h2", "h3", "h4"}
    assert set(tags) <= allowed
