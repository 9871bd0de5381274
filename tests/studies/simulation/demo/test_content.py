from studies.simulation.demo.content import DATA, read_content

SYSTEMS = ("human", "captioner-a", "captioner-b", "captioner-c")


def test_every_image_has_a_file_references_and_a_set_of_each_system():
    content = read_content(DATA)

    shapes = {
        (
            image.file.is_file(),
            len(image.references),
            tuple(made.system for made in image.sets),
            tuple(len(made.captions) for made in image.sets),
        )
        for image in content
    }
    assert shapes == {(True, 5, SYSTEMS, (5, 5, 5, 5))}
    assert len({image.key for image in content}) == 12


def test_no_judged_caption_is_a_reference():
    content = read_content(DATA)

    assert [image.key for image in content if {made.captions[0] for made in image.sets} & set(image.references)] == []
