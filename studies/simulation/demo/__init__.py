"""The demo: small studies of each kind with our own images and captions, judged by simulated raters."""
