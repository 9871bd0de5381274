"""Views of raters: fetch the visit, bind the form of the kind, make one domain call, render."""
