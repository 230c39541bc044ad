"""Terms: the words under which a text is found."""

from backstory.domain.search.terms import READ, terms


def test_other_forms_of_a_word_share_a_term() -> None:
    assert terms("She painted sunrises") == terms("painting a sunrise")


def test_an_identifier_is_found_whole_and_by_its_parts() -> None:
    for written in ("getUserName", "get_user_name"):
        found = terms(written)
        assert found["user"] == found["name"] == 1
        assert len(found) == 4, found
    assert terms("HTTPServer2")["http"] == 1


def test_the_parts_of_a_path_are_terms() -> None:
    assert {"src", "auth", "jwt", "py"} <= set(terms("src/auth/jwt.py"))


def test_words_that_stand_everywhere_are_no_terms() -> None:
    assert terms("When did you do that? I don't know, we're in it.") == {"know": 1}


def test_accents_do_not_matter() -> None:
    assert terms("Café Zoë") == terms("cafe zoe")


def test_text_without_blanks_is_found_by_pairs_of_characters() -> None:
    assert set(terms("日本語")) == {"日本", "本語"}
    assert terms("語") == {"語": 1}


def test_data_is_no_word_and_a_log_is_read_from_its_start() -> None:
    assert not terms("A" * 65)
    assert terms("f" * 64)
    assert "late" not in terms("word " * (READ // 5) + "late")
