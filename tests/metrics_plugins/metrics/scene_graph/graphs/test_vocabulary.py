from metrics_plugins.metrics.scene_graph.graphs.vocabulary import LemmaVocabulary


def test_a_phrase_is_looked_up_with_underscores(vocabulary: LemmaVocabulary) -> None:
    assert vocabulary.find_synsets("fire hydrant") == vocabulary.lexicon.find_synsets("fire_hydrant")
    assert vocabulary.find_synsets("fire hydrant")


def test_an_inflected_word_has_the_synsets_of_its_base(vocabulary: LemmaVocabulary) -> None:
    assert vocabulary.find_synsets("child") <= vocabulary.find_synsets("children")
    assert vocabulary.find_synsets("Dogs") == vocabulary.find_synsets("dogs")


def test_words_without_synsets_are_similar_to_themselves_alone(vocabulary: LemmaVocabulary) -> None:
    first, second = vocabulary.mark("xqzt"), vocabulary.mark("qqqq")

    assert len(first) == len(second) == 1
    assert first.isdisjoint(second)
    assert vocabulary.mark("xqzt") == first


def test_synonyms_share_a_mark_and_others_do_not(vocabulary: LemmaVocabulary) -> None:
    assert not vocabulary.mark("couch").isdisjoint(vocabulary.mark("sofa"))
    assert vocabulary.mark("couch").isdisjoint(vocabulary.mark("dog"))
