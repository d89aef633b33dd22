"""Reading and writing rubric files: round trips, and one sentence with field and line for whatever is wrong."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.errors import GamutError
from models.rubric.checklist import Kind
from models.rubric.codec import RubricFileError, dump_json, dump_yaml, load_question, parse_question, to_plain
from models.rubric.codec.source import MAX_DEPTH
from models.rubric.compile import compile_question
from models.rubric.metarubric import ImageRef, Origin, Override, Question, Snippet, TextOnly, Tier
from models.textfile import FileProblem, write_atomic
from tests.unit.rubrics import TEXTS, questions

HEAD = "gamut: 1\nid: q\nquestion: What is this?\n"


def refusal(text: str, **more) -> str:
    with pytest.raises(RubricFileError) as refused:
        parse_question(text, "a.yaml", **more)
    assert refused.value.next_step
    return str(refused.value)


def rubric(item: str) -> Question:
    return parse_question(f"{HEAD}rubric:\n  - {item}\n")


def test_a_full_file_is_read():
    asked = parse_question(
        HEAD
        + """
images: [{file: a b/ü.jpg, credit: Ana, licence: CC0}, plain.png]
text_only: {question: And without?, status: excluded, reason: about the picture}
entity: flat white
domain: food
topic: coffee
tags: {source: web, condition: 12:30}
status: dropped
reason: too easy
profile: gamut-1
language: en
snippets: [{id: s1, url: "https://x.org", title: T, quote: Q, note: N, checked: supports, by: me, on: 2026-01-02}]
golden: {anything: [1, yes]}
rubric:
  - {type: simple_knowledge, tier: answer_critical, fact: It is coffee, identifies_subject: true, cites: [s1]}
overrides:
  - {action: retier, origin: {item: i, element: e, n: 2}, rule: process.full_sequence, tier: context, base_text: B}
"""
    )
    assert asked.images == (ImageRef("a b/ü.jpg", "Ana", "CC0"), ImageRef("plain.png"))
    assert asked.text_only == TextOnly("And without?", "excluded", "about the picture")
    assert asked.tags == (("source", "web"), ("condition", "12:30"))
    assert asked.snippets == (Snippet("s1", "https://x.org", "T", "Q", "N", "supports", "me", "2026-01-02"),)
    assert asked.reserved == (("golden", {"anything": ["1", "yes"]}),)
    assert asked.rubric[0].cites == ("s1",)
    assert asked.overrides == (
        Override("retier", Origin("i", "e", 2), "process.full_sequence", tier=Tier.CONTEXT, base_text="B"),
    )
    assert (asked.entity, asked.domain, asked.topic, asked.status, asked.reason) == (
        *("flat white", "food", "coffee", "dropped", "too easy"),
    )


def test_image_is_read_like_images():
    assert parse_question(HEAD + "image: x.png").images == (ImageRef("x.png"),)


@pytest.mark.parametrize("word", ["no", "12:30", "1_000", "yes", "null", "~", "0x1F", "1e3", "2026-01-01", "-"])
def test_scalars_stay_what_they_are(word):
    fact = rubric(f"{{type: strict_list, tier: context, name: n of x, items: ['{word}', b]}}").rubric[0]
    assert fact.items[0].text == word


@pytest.mark.parametrize("word", ["no", "12:30", "1_000", "yes", "0x1F", "1e3", "null"])
def test_unquoted_scalars_stay_what_they_are(word):
    assert rubric(f"{{type: simple_knowledge, tier: context, fact: {word}}}").rubric[0].fact == word


def test_blank_optional_fields_are_absent():
    asked = parse_question(HEAD + "entity:\ntopic: ~\ndomain: null\ntext_only:\nsnippets:\n")
    assert (asked.entity, asked.topic, asked.domain, asked.text_only, asked.snippets) == (None, None, None, None, ())


def test_ids_come_from_nfc_text_and_repeats_are_numbered():
    item = rubric("{type: strict_list, tier: context, name: n of x, items: [caf\u00e9, cafe\u0301, tea]}").rubric[0]
    one, two, _ = (e.id for e in item.items)
    assert two == f"{one}-2"


def test_a_given_id_is_kept_and_written():
    asked = rubric("{type: simple_knowledge, id: mine, tier: context, fact: x}")
    assert asked.rubric[0].id == "mine"
    assert "id: mine" in dump_yaml(asked)


def test_an_id_frozen_under_an_older_name_is_written():
    asked = rubric("{type: strict_list, tier: context, name: old of x, items: [a, b]}")
    from dataclasses import replace

    renamed = replace(asked, rubric=(replace(asked.rubric[0], name="new of x"),))
    assert parse_question(dump_yaml(renamed)) == renamed


def test_the_editor_can_hold_what_compile_refuses():
    asked = rubric("{type: flexible_list, tier: context, name: n of x, options: [a, a, ''], at_least: [9, 2, 1]}")
    assert asked.rubric[0].at_least == (9, 2, 1)
    with pytest.raises(GamutError):
        compile_question(asked)


@given(questions(), st.booleans())
def test_what_is_written_reads_back_equal(asked: Question, as_json: bool):
    text = dump_json(asked) if as_json else dump_yaml(asked)
    assert parse_question(text, is_json=as_json) == asked


@given(TEXTS, TEXTS, st.sampled_from(Kind), st.sampled_from(Tier))
def test_overrides_read_back_equal(text, base, kind, tier):
    edits = (
        Override("add", id="x1", kind=kind.value, text=text, tier=tier),
        Override("reword", Origin("i", None, 3), "flexible_list.baseline", text=text, base_text=base, base_tier=tier),
    )
    asked = Question("q", "w", overrides=edits)
    assert parse_question(dump_yaml(asked)).overrides == edits
    assert parse_question(dump_json(asked), is_json=True).overrides == edits


@given(st.text(max_size=200))
def test_any_text_is_a_question_or_a_sentence(text):
    for is_json in (False, True):
        try:
            parse_question(text, is_json=is_json)
        except RubricFileError as error:
            assert error.sentence.endswith(".")


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=5), lambda c: st.lists(c, max_size=3)))
def test_any_value_in_any_field_is_read_or_refused_in_a_sentence(value):
    plain = to_plain(rubric("{type: flexible_list, tier: context, name: n of x, options: [a, b], at_least: 1}"))
    for name in [*plain, "snippets", "overrides", "text_only", "tags", "images", "status"]:
        try:
            parse_question(json.dumps({**plain, name: value}), is_json=True)
        except RubricFileError as error:
            assert error.sentence.endswith(".")
    for name in plain["rubric"][0]:
        broken = {**plain, "rubric": [{**plain["rubric"][0], name: value}]}
        try:
            parse_question(json.dumps(broken), is_json=True)
        except RubricFileError as error:
            assert error.sentence.endswith(".")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "a.yaml is empty. A rubric file starts with 'gamut: 1'."),
        ("# only a comment\n", "a.yaml is empty."),
        ("just words", "a.yaml, line 1: must be a set of fields, not 'just words'."),
        ("- a\n- b", "a.yaml, line 1: must be a set of fields, not a list."),
        ("id: q\nquestion: w", "a.yaml, line 1: 'gamut' is missing. Add 'gamut: 1' at the top."),
        ("gamut: 2\nid: q\nquestion: w", "a.yaml, line 1: gamut is 2, but this app reads format 1."),
        ("gamut: 1\nquestion: w", "a.yaml, line 1: 'id' is missing. Add id: some-name."),
        ("gamut: 1\nid: a b\nquestion: w", "line 2: id must be a short id without spaces, not 'a b'."),
        (HEAD + "questoin: x", "a.yaml, line 4: questoin is not a known field. Did you mean 'question'?"),
        (HEAD + "zzz: x", "line 4: zzz is not a known field. Known here: gamut, id,"),
        (HEAD + "id: again", "a.yaml, line 4: 'id' is there twice. Keep one of the two."),
        (HEAD + "status: maybe", "line 4: status must be one of active, dropped, not 'maybe'."),
        (HEAD + "image: a\nimages: [b]", "image stands beside 'images'."),
        (HEAD + "image: https://x.org/a.png", "image must be a file beside the rubric, not 'https://x.org/a.png'."),
        (HEAD + "text_only: {status: ready}", "text_only has no question."),
        (HEAD + "snippets: [{id: s}, {id: s}]", "snippets uses the id 's' twice."),
        (HEAD + "rubric: [x]", "rubric[0] must be a set of fields, not 'x'."),
        (HEAD + "rubric:\n  - {tier: context}", "a.yaml, line 5: rubric[0] has no 'type'."),
        (HEAD + "rubric:\n  - {type: fact}", "rubric[0].type must be one of simple_knowledge, strict_list,"),
        (HEAD + "rubric:\n  - {type: simple_knowledge, fact: x}", "rubric[0] has no 'tier'."),
        (HEAD + "rubric:\n  - {type: simple_knowledge, tier: ac, fact: x}", "rubric[0].tier must be one of answer_cri"),
        (HEAD + "rubric:\n  - {type: simple_knowledge, tier: context}", "rubric[0] has no 'fact'."),
        (
            HEAD + "rubric:\n  - {type: simple_knowledge, tier: context, fact: [a]}",
            "rubric[0].fact must be text, not a",
        ),
        (
            HEAD + "rubric:\n  - {type: simple_knowledge, tier: context, fact: x, identifies_subject: perhaps}",
            "rubric[0].identifies_subject must be true or false, not 'perhaps'.",
        ),
        (
            HEAD + "rubric:\n  - {type: flexible_list, tier: context, name: n, options: [a], at_least: two}",
            "rubric[0].at_least must be a whole number, not 'two'.",
        ),
        (HEAD + "rubric:\n  - {type: process, tier: context, name: n, steps: go}", "steps must be a list, not 'go'."),
        (
            HEAD + "rubric:\n  - {type: strict_list, tier: context, name: n, items: [a], meta_insights: [x]}",
            "rubric[0].meta_insights[0] has no tier.",
        ),
        (
            HEAD
            + "rubric:\n  - {type: strict_list, tier: context, name: n, items: [{text: a, id: i}, {text: b, id: i}]}",
            "rubric[0].items uses the id 'i' twice.",
        ),
        (HEAD + "overrides: [{action: drop}]", "overrides[0] (drop) has no 'origin'."),
        (HEAD + "overrides: [{action: burn}]", "overrides[0].action must be one of reword, retier, drop, add"),
        (HEAD + "tags: [a]", "tags must be names with values, not a list."),
        (HEAD + "---\n" + HEAD, "a.yaml, line 4: this file holds more than one document."),
        (HEAD + "entity: !!python/name:os.system ''", "a.yaml, line 4: the tag tag:yaml.org,2002:python/name:os.sys"),
        (HEAD + "entity: *nothing", "this is not valid YAML|*nothing stands for nothing"),
        (HEAD + "entity: [a", "this is not valid YAML"),
        (HEAD + "\tentity: a", "this is not valid YAML"),
        (HEAD + "? [a]\n: b", "a field name must be text."),
        ("gamut: 1\nid: \x07", "this is not valid YAML"),
    ],
)
def test_each_mistake_is_one_sentence_with_field_and_line(text, told):
    shown = refusal(text)
    assert any(part in shown for part in told.split("|")), shown


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"gamut": 1,\n "id": }', "a.yaml, line 2: this is not valid JSON"),
        ('{"gamut": 1, "gamut": 1}', "'gamut' is there twice"),
        ('{"gamut": 1, "id": "q", "question": NaN}', "NaN is not a JSON number."),
        ('{"gamut": 1,\n "id": "q",\n "question": 5}', "a.yaml, line 3: question must be text, not '5'."),
        ('{"gamut": true, "id": "q", "question": "w"}', "gamut must be a whole number, not 'true'."),
        ('{"gamut": 1, "id": "q", "question": "\\ud800"}', "holds half a Unicode character."),
        ("[" * 5000 + "]" * 5000, "this is nested more than 40 levels deep."),
        ('{"a":' * 5000 + "1" + "}" * 5000, "this is nested more than 40 levels deep."),
        ('{"gamut": ' + "9" * 5000 + "}", "a number is too long"),
    ],
)
def test_json_mistakes_are_sentences_too(text, told):
    assert told in refusal(text, is_json=True)


@pytest.mark.parametrize("deep", ["[" * 5000 + "]" * 5000, "{a: " * 5000 + "1" + "}" * 5000, "- " * 5000 + "x"])
def test_five_thousand_levels_of_nesting_are_refused(deep):
    assert f"nested more than {MAX_DEPTH} levels deep" in refusal(HEAD + "golden:\n  " + deep)


def test_an_alias_bomb_is_refused_before_it_grows():
    bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
    bomb += "".join(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]\n" for i in range(1, 12))
    assert "holds more than 200,000 values" in refusal(bomb)


def test_a_plain_alias_is_read():
    asked = parse_question(HEAD + "entity: &e flat white\ntopic: *e\n")
    assert asked.topic == "flat white"


def test_a_line_in_a_jsonl_file_is_counted_from_its_start():
    assert "a.yaml, line 7" in refusal('{"gamut": 1, "id": "q", "question": 5}', is_json=True, first_line=7)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (None, "There is no file"),
        (b"gamut: 1\nid: \xff", "a.yaml, line 2: this is not UTF-8 text. Save it as UTF-8."),
    ],
)
def test_files_that_cannot_be_read_are_sentences(tmp_path, content, told):
    path = tmp_path / "a.yaml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(FileProblem) as refused:
        load_question(path)
    assert told in str(refused.value)


def test_a_folder_and_a_huge_file_are_sentences(tmp_path):
    with pytest.raises(FileProblem, match="is a folder"):
        load_question(tmp_path)
    big = tmp_path / "big.yaml"
    with big.open("wb") as file:
        file.truncate(17 * 2**20)
    with pytest.raises(FileProblem, match=r"big.yaml is 17 MB; files of up to 16 MB are read"):
        load_question(big)


def test_a_byte_order_mark_and_windows_lines_are_read(tmp_path):
    path = tmp_path / "ü b.yaml"
    path.write_bytes(b"\xef\xbb\xbf" + HEAD.replace("\n", "\r\n").encode())
    assert load_question(path).question == "What is this?"


def test_an_atomic_write_leaves_the_old_file_when_it_fails(tmp_path):
    path = tmp_path / "a.yaml"
    write_atomic(path, "old")
    (tmp_path / "a.yaml.d").mkdir()
    with pytest.raises(FileProblem, match="cannot be written"):
        write_atomic(tmp_path / "a.yaml.d", "new")
    write_atomic(path, "new")
    assert path.read_text() == "new"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.yaml", "a.yaml.d"]
