"""Makes one open study of each kind in the database of `DATABASE_URL`, and prints the tokens of their links.

`python -m benchmarks.studies.open_studies N_TASKS N_ITEMS KIND...`
"""

import sys

import django
from django.core.management import call_command


def main() -> None:
    """Make the studies; `N_ITEMS` is the number of captions on a page of ratings."""
    from django.db import connection

    from studies.enums import TaskKind
    from tests.factories.open_studies import make_open_study

    n_tasks, n_items, *kinds = sys.argv[1:]
    call_command("migrate", verbosity=0)
    with connection.cursor() as cursor:
        cursor.execute("CREATE EXTENSION IF NOT EXISTS pg_stat_statements")
    for kind in kinds:
        items = int(n_items) if kind == TaskKind.RATING else 1
        study = make_open_study(
            kind, kind=TaskKind(kind), n_tasks=int(n_tasks), n_items=items, raters_per_task=200, lease_minutes=60
        )
        print(study.join_token)


if __name__ == "__main__":
    django.setup()
    main()
