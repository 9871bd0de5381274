"""What tests of pages do to see a study, and the text of a page."""


def own(study, owner):
    """Return a study that belongs to somebody now."""
    study.owner = owner
    study.save()
    return study


def read(response):
    """Return the HTML of a page with single blanks between words."""
    return " ".join(response.content.decode().split())
