"""The installed metrics, for a page that is not ours to fill: the index of the admin."""

from django import template

from studies.scoring.plugins import PluginList, list_plugins

register = template.Library()


@register.simple_tag
def installed_plugins() -> PluginList:
    return list_plugins()
