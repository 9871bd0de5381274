from django.template import Context, Template
from django.test import RequestFactory


def test_page_link_keeps_what_else_the_address_says():
    request = RequestFactory().get("/studies/x/?items=2&metric=cider&raters=3")

    link = Template("{% load links %}{% page_link 'items' 5 %}").render(Context({"request": request}))

    assert link == "?items=5&amp;metric=cider&amp;raters=3"
