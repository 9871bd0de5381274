"""The two human studies of Flickr8k: experts and crowd."""
