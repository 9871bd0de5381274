"""`critic-lstm`: a network trained to distinguish human captions from machine captions and distorted ones."""
