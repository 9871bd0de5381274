"""Long lists come in pages: by number, or, where nobody counts the rows, by a cursor."""

from rest_framework.pagination import CursorPagination, PageNumberPagination


class Pages(PageNumberPagination):
    """`?page=2&page_size=100`."""

    page_size = 100
    page_size_query_param = "page_size"
    max_page_size = 1000


class Cursor(CursorPagination):
    """Follows `next` from row to row: counting a million judgments for each page would take longer than reading it."""

    ordering = "pk"
    page_size = 1000
    page_size_query_param = "page_size"
    max_page_size = 5000
