"""The processes that run jobs: they claim, supervise and end them."""
