"""The pages of raters, an app without models, which shows tasks and passes answers to `studies.collection`."""
