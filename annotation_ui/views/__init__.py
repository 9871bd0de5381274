"""Views of raters' pages, which fetch the visit, bind the form of the kind, make one domain call, and render."""
