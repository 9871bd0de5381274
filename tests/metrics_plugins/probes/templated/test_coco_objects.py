from metrics_plugins.probes.templated.coco_objects import find_coco_objects


def test_objects_of_each_caption_in_its_order():
    captions = ["Two men walk their dogs.", "a bus by the bus stop", "", "a dog sees a cat and a dog", "the sky"]

    assert find_coco_objects(captions) == [
        ["person", "dog"],
        ["bus", "bus"],
        [],
        ["dog", "cat", "dog"],
        [],
    ]


def test_the_same_caption_twice():
    assert find_coco_objects(["a dog", "a cat", "a dog"]) == [["dog"], ["cat"], ["dog"]]
