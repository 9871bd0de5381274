"""Template filters for the texts of a design in the rater's language."""

from django import template

from annotation_ui.stock_texts import translate_design, translate_stock

register = template.Library()
register.filter("stock", translate_stock)
register.filter("stock_text", translate_design)
