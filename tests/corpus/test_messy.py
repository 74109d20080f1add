"""Tables as people have them: other delimiters, HTML, duplicates, empty rows, dates of every kind."""

import time

import pyarrow as pa
import pytest

from cotopics.corpus import Preparation, as_corpus, count_words, load_corpus, read_corpus, read_documents, save_corpus
from cotopics.corpus.dates import iso_dates
from cotopics.corpus.markup import without_markup
from cotopics.errors import CorpusError, ParameterError


def test_the_header_shows_the_delimiter(tmp_path):
    for delimiter in ",;\t|":
        for suffix in ("csv", "tsv"):
            path = tmp_path / f"table.{suffix}"
            path.write_text(f'id{delimiter}text\n1{delimiter}"one, two; three\t|"\n', encoding="utf-8")
            assert [document.text for document in read_documents(path)] == ["one, two; three\t|"]


def test_a_delimiter_that_is_given(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("id:text\n1:one\n", encoding="utf-8")
    assert [document.text for document in read_documents(path, delimiter=":")] == ["one"]
    with pytest.raises(CorpusError, match="text_field, or --text-field"):
        list(read_documents(path))
    with pytest.raises(ParameterError, match="one character"):
        read_documents(path, delimiter="::")
    with pytest.raises(ParameterError, match=r"for \.csv and \.tsv files"):
        read_documents(path.rename(tmp_path / "table.jsonl"), delimiter=":")


def test_a_semicolon_in_the_text_is_not_a_delimiter(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("text\nno comma; but semicolons; here\n", encoding="utf-8")
    assert [document.text for document in read_documents(path)] == ["no comma; but semicolons; here"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a<br/>b", "a b"),
        ("<P CLASS='x'>cat</P>", "cat"),
        ("fish&nbsp;&amp;&nbsp;chips", "fish & chips"),
        ("caf&eacute; &#8364; &#x20AC;", "café € €"),
        ("twice &amp;nbsp; escaped", "twice escaped"),
        ("<script>var x = 'word';</script>cat", "cat"),
        ("<STYLE>p {}</STYLE>cat", "cat"),
        ("<!-- note > here -->cat", "cat"),
        ("<!-- never closed, 2 < 3", "<!-- never closed, 2 < 3"),
        ("<script>never closed", "never closed"),
        ("1 < 2 and 3 > 2", "1 < 2 and 3 > 2"),
        ("I <3 you", "I <3 you"),
        ("un<b>believ</b>able", "unbelievable"),
        ("one<td>two", "one two"),
    ],
)
def test_markup(text, shown):
    assert " ".join(without_markup(text).split()) == shown


@pytest.mark.parametrize("text", ["<" * 100_000, "<!--" * 50_000, "<script>" * 20_000, "<a " * 50_000, "&" * 100_000])
def test_no_text_takes_long(text):
    start = time.perf_counter()
    without_markup(text)
    assert time.perf_counter() - start < 2


def test_markup_leaves_no_word(tmp_path):
    texts = ["<p>The&nbsp;cat <a href='https://example.org/dog'>sat</a></p>", "a cat"]
    assert count_words(texts, min_documents=1, prepare=Preparation(html=True)).vocabulary == ["cat", "sat"]
    plain = as_corpus(texts)
    assert "nbsp" in plain.vocabulary
    assert any("--html" in note for note in plain.notes)
    assert not any("--html" in note for note in as_corpus(texts, prepare=Preparation(html=True)).notes)


def test_duplicates_and_empty_rows_are_counted():
    rows = {"text": ["a cat", "", "a dog", " a cat ", None], "date": ["2020", "2021", "2022", "2023", "2024"]}
    corpus = as_corpus(pa.table(rows))
    assert corpus.counts.shape[0] == 5
    assert any("1 document has the text of an earlier one" in note for note in corpus.notes)
    assert "2 documents without text" in corpus.notes
    fewer = as_corpus(pa.table(rows), drop_duplicates=True)
    assert fewer.dates == ["2020", "2021", "2022", "2024"]
    assert fewer.counts.shape[0] == 4
    assert "1 document left out with the text of an earlier one" in fewer.notes
    with pytest.raises(ParameterError, match="in the same object as the texts"):
        as_corpus(rows["text"], dates=rows["date"], drop_duplicates=True)


@pytest.mark.parametrize(
    ("dates", "expected"),
    [
        (["2024-05-31", "2024", ""], ["2024-05-31", "2024", ""]),
        (["31.05.2024", "1.6.2024"], ["2024-05-31", "2024-06-01"]),
        (["05/31/2024", "06/01/2024"], ["2024-05-31", "2024-06-01"]),
        (["31/05/2024", "01/06/2024"], ["2024-05-31", "2024-06-01"]),
        (["31.05.2024 13:45", "01.06.2024 00:00"], ["2024-05-31T13:45:00", "2024-06-01T00:00:00"]),
        (["May 31, 2024", "June 1, 2024"], ["2024-05-31", "2024-06-01"]),
        (["Fri, 31 May 2024 13:45:00 +0000"], ["2024-05-31T13:45:00+00:00"]),
        (["Fri May 31 13:45:00 +0000 2024"], ["2024-05-31T13:45:00+00:00"]),
    ],
)
def test_dates_as_people_write_them(dates, expected):
    assert iso_dates(dates)[0] == expected


def test_what_is_said_of_dates():
    assert iso_dates(["2024-05-31", ""])[1] == []
    assert iso_dates(["31.05.2024"])[1] == ["dates are read as %d.%m.%Y"]
    (said,) = iso_dates(["01/02/2024", "03/04/2024"])[1]
    assert "the day before the month" in said
    assert "%m/%d/%Y" in said
    assert "the day before" not in iso_dates(["01/02/2024", "31/04/2024", "30/04/2024"])[1][0]
    found, notes = iso_dates(["31.05.2024", "soon", "2024"])
    assert found == ["2024-05-31", "soon", "2024"]
    assert any("1 date is not understood, such as 'soon'" in note and "--date-format" in note for note in notes)


def test_a_format_of_dates():
    assert iso_dates(["05-24", "", "13-24"], "%m-%y")[0] == ["2024-05", "", "13-24"]
    assert iso_dates(["20240531"], "%Y%m%d")[0] == ["2024-05-31"]
    assert iso_dates(["24"], "%y")[0] == ["2024"]
    for wrong in ("%d.%m.", "words", "%Q"):
        with pytest.raises(ParameterError, match="not a format of dates"):
            iso_dates(["1.1."], wrong)


def test_dates_of_a_file(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("text;date\na cat;31.05.2024\na dog;unknown\n", encoding="utf-8")
    corpus = read_corpus(path, min_documents=1)
    assert corpus.dates == ["2024-05-31", "unknown"]
    assert any("not understood" in note for note in corpus.notes)
    assert read_corpus(path, min_documents=1, date_format="%m.%d.%Y").dates == ["31.05.2024", "unknown"]


def test_a_corpus_prints_in_one_line():
    frame = pa.table({"text": ["a cat", "a dog"] * 500, "page": list(range(1000))})
    corpus = as_corpus(frame, metadata_fields=["page"])
    assert repr(corpus) == "Corpus(1,000 documents × 2 words, metadata: page)"


def test_a_corpus_remembers_how_its_texts_became_words(tmp_path):
    prepare = Preparation(stem="english", extra_stop_words=["said"])
    corpus = as_corpus(["cats said", "dogs"], prepare=prepare)
    assert corpus.preparation == prepare
    save_corpus(corpus, tmp_path / "a.corpus")
    assert load_corpus(tmp_path / "a.corpus").preparation == prepare
    assert as_corpus([["cats", "said"]]).preparation is None
    assert as_corpus(["cats said"], prepare=str.split).preparation is None


class Offered:
    """A frame that no library knows, and that offers its columns as Arrow."""

    def __init__(self, columns):
        self._table = pa.table(columns)

    def __arrow_c_stream__(self, requested_schema=None):
        return self._table.__arrow_c_stream__(requested_schema)


@pytest.mark.parametrize("form", [pa.array, pa.chunked_array, lambda texts: Offered({"text": texts})])
def test_arrow(form):
    texts = ["a cat", "a cat and a dog"]
    given = form([texts]) if form is pa.chunked_array else form(texts)
    assert as_corpus(given).vocabulary == ["cat", "dog"]
