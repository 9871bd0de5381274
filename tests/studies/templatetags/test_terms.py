"""Tests of explained terms in templates."""

import re

from django.template import Context, Template


def render(text, **context):
    return Template("{% load terms %}" + text).render(Context(context))


def test_button_opens_the_definition_of_its_term():
    shown = render('{% term "ceiling" "People" %} {% term "ceiling" %}')

    targets = re.findall(r'popovertarget="([\w-]+)"', shown)
    assert targets == re.findall(r' id="([\w-]+)" popover', shown) == ["term-ceiling-1", "term-ceiling-2"]
    assert ">People<button" in shown
    assert "How well people predict people" in shown


def test_each_term_is_listed_once_after_the_measures():
    shown = render('{% terms "interval letters" more=heads %}', heads=["Kendall τ-c", "Kendall τ-b", "Fleiss κ"])

    assert re.findall(r'id="term-(\w+)-\d"', shown) == ["kendall", "interval", "letters"]


def test_coefficient_without_a_definition_has_no_button():
    assert render('{% term "fleiss" "Fleiss κ" %}').strip() == '<span class="term">Fleiss κ</span>'
