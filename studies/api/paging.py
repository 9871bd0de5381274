"""Pagination of long lists: by number, or by a cursor where counting the rows is too slow."""

from rest_framework.pagination import CursorPagination, PageNumberPagination


class Pages(PageNumberPagination):
    """`?page=2&page_size=100`."""

    page_size = 100
    page_size_query_param = "page_size"
    max_page_size = 1000


class Cursor(CursorPagination):
    """Pagination by `next`, for lists of which counting a million rows takes longer than reading a page."""

    ordering = "pk"
    page_size = 1000
    page_size_query_param = "page_size"
    max_page_size = 5000
