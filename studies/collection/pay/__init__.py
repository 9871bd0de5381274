"""What raters earn, and what is owed to those who withdrew."""
