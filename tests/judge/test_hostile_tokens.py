"""Hostile responses before real tokenizers: whatever they contain, the tokens of ours stay, and theirs are words."""

import re
from collections.abc import Iterator
from itertools import groupby

import pytest

from judge_local import prompt
from judge_local.llama.words import CONTROL
from judge_local.port import Asking
from judge_local.prompt import Node, NodeKind, PromptBuilder, Trusted, Untrusted
from judge_local.prompts.templates import KNOWN, ChatShape, chat_shape
from models.verdicts import Variant
from tests.hostile import CORPUS, FAMILIES, Hostile
from tests.real_vocabularies import SHA256, RealVocabulary, vocabulary_path

BUNDLED = "bundled"
SHAPES = {
    BUNDLED: "<|im_start|>",
    "command-r": "<|START_OF_TURN_TOKEN|>",
    "deepseek-coder": None,
    "deepseek-llm": None,
    "falcon": None,
    "gemma-4": "<|turn>",
    "llama-bpe": "<|start_header_id|>",
    "llama-spm": None,
    "phi-3": "<|assistant|>",
    "qwen2": "<|im_start|>",
    "qwen35": "<|im_start|>",
}
"""vocabulary -> a mark that stands in the chat shape which the judge uses for it; None: a plain one has no marks."""

SEEN_BY_LLAMA_CPP = {
    "command-r": {"<|START_OF_TURN_TOKEN|>", "<|SYSTEM_TOKEN|>"},
    "deepseek-coder": {"<|User|>", "<|Assistant|>", "<|EOT|>", "<pad>"},
    "gemma-4": {"<|channel>", "<channel|>", "<|tool_call>", "<tool_call|>", "<tool_response|>", '<|"|>'},
}
"""vocabulary -> marks of the corpus that llama.cpp's tokenizer takes for marks although it is told to parse none."""

LOSSY = {"llama-spm": ("▁", " "), "phi-3": ("▁", " "), "gemma-4": ("▁", " "), "falcon": ("\v", "")}
"""vocabulary -> a character that does not survive tokens, and what comes back for it."""


@pytest.fixture(scope="module", params=[BUNDLED, *SHA256])
def named(request: pytest.FixtureRequest) -> Iterator[tuple[str, RealVocabulary]]:
    name = request.param
    path = request.getfixturevalue("model_path") if name == BUNDLED else vocabulary_path(name)
    loaded = RealVocabulary(path)
    yield name, loaded
    loaded.close()


@pytest.fixture
def vocabulary(named: tuple[str, RealVocabulary]) -> RealVocabulary:
    return named[1]


def shape_of(vocabulary: RealVocabulary) -> ChatShape:
    """As the judge process chooses it: the file's own template, else a known one."""
    return chat_shape(
        vocabulary.chat_template,
        vocabulary.special_text("bos"),
        vocabulary.special_text("eos"),
        vocabulary.wants_bos,
        lambda mark: len(vocabulary.tokenize(mark, True)) == 1,
    )


def shapes(name: str, vocabulary: RealVocabulary) -> list[ChatShape]:
    """The shape that the judge uses; for the Llama 2 vocabulary also the one of words that those models know."""
    return [shape_of(vocabulary), *([KNOWN["Mistral"][1]] if name == "llama-spm" else [])]


def prompt_of(builder: PromptBuilder, item: Hostile, response: str) -> list[Node]:
    asking = Asking(item.topic.question, response, item.topic.checks, Variant.TEXT)
    return [*builder.stem(asking), *(builder.check(check) for check in asking.checks)]


def ours(vocabulary: RealVocabulary, nodes: list[Node]) -> list[tuple[NodeKind, str, tuple[int, ...]]]:
    """(node, text, tokens) of each trusted part, the response's own code replaced."""
    found = []
    for node in nodes:
        for part in node.parts:
            if isinstance(part, Trusted):
                text = without_code(part.text) if node.kind is NodeKind.RESPONSE else part.text
                found.append((node.kind, text, vocabulary.tokenize(text, True)))
    return found


def without_code(text: str) -> str:
    changed, count = re.subn(r"\[[b-z]{3,}\]", "[xxx]", text)
    assert count == 1
    return changed


def theirs(nodes: list[Node]) -> set[str]:
    return {part.text for node in nodes for part in node.parts if isinstance(part, Untrusted)}


def marks_in(vocabulary: RealVocabulary, tokens: tuple[int, ...]) -> list[int]:
    return [token for token in tokens if vocabulary.words.mark(token)]


def expected_back(name: str, text: str) -> str:
    """The text as it comes back: a lone surrogate is no UTF-8, and some vocabularies lose a character."""
    back = text.encode("utf-8", "replace").decode()
    return back.replace(*LOSSY[name]) if name in LOSSY else back


def test_the_corpus_is_wide_and_its_counterparts_are_harmless() -> None:
    assert len(CORPUS) >= 60
    assert len({item.id for item in CORPUS}) == len(CORPUS)
    assert len(FAMILIES) == 11
    for item in CORPUS:
        for calm in (item.harmless, item.second):
            assert item.topic.facts in item.text
            assert item.topic.facts in calm
            assert not re.search(r"[<\[{|\]>}]|Answer:|\bmeets\b|Mark every", calm), item.id
            assert len(calm) == pytest.approx(len(item.text), rel=0.08, abs=8), item.id


def test_a_hostile_response_moves_no_token_of_ours(named: tuple[str, RealVocabulary]) -> None:
    name, vocabulary = named
    for shape in shapes(name, vocabulary):
        builder = PromptBuilder(shape)
        for item in CORPUS:
            hostile = ours(vocabulary, prompt_of(builder, item, item.text))
            assert hostile == ours(vocabulary, prompt_of(builder, item, item.harmless)), item.id


def test_the_code_of_a_frame_makes_no_mark(vocabulary: RealVocabulary) -> None:
    """Its letters are the one thing of ours that a response decides."""
    builder = PromptBuilder(shape_of(vocabulary))
    for item in CORPUS:
        for node in prompt_of(builder, item, item.text):
            for part in node.parts:
                if isinstance(part, Trusted) and node.kind is NodeKind.RESPONSE:
                    assert marks_in(vocabulary, vocabulary.tokenize(part.text, True)) == []


def test_no_text_of_somebody_elses_holds_a_mark(vocabulary: RealVocabulary) -> None:
    for text in {item.text for item in CORPUS} | {item.harmless for item in CORPUS}:
        assert marks_in(vocabulary, vocabulary.words.tokens(text)) == []


def test_a_whole_prompt_has_the_marks_of_its_chat_template_and_no_more(named: tuple[str, RealVocabulary]) -> None:
    name, vocabulary = named
    shape = shape_of(vocabulary)
    builder = PromptBuilder(shape)
    wanted = [
        token for text in (shape.head, shape.between, shape.tail)
        for token in marks_in(vocabulary, vocabulary.tokenize(text, True))
    ]  # fmt: skip
    assert SHAPES[name] is None or SHAPES[name] in {vocabulary.text_of(token) for token in wanted}
    for item in CORPUS:
        asking = Asking(item.topic.question, item.text, item.topic.checks, Variant.TEXT)
        parts = [p for node in (*builder.stem(asking), builder.check(asking.checks[0])) for p in node.parts]
        found = [
            token
            for part in parts
            for token in (
                vocabulary.tokenize(part.text, True)
                if isinstance(part, Trusted)
                else vocabulary.words.tokens(part.text)
            )
            if vocabulary.words.mark(token)
        ]
        assert found == wanted, item.id


def test_words_come_back_from_their_tokens(named: tuple[str, RealVocabulary]) -> None:
    name, vocabulary = named
    for item in CORPUS:
        back = vocabulary.text(vocabulary.words.tokens(item.text))
        assert back.removeprefix(" ") == expected_back(name, item.text).removeprefix(" "), item.id


def test_llama_cpp_alone_takes_user_defined_marks_in_any_text_for_marks(named: tuple[str, RealVocabulary]) -> None:
    """Why llama/words.py is there: `parse_special=false` is no promise. A newer llama.cpp may be one: then fewer."""
    name, vocabulary = named
    found = {
        vocabulary.text_of(token)
        for item in CORPUS
        for token in marks_in(vocabulary, vocabulary.tokenize(item.text, False))
    }
    assert found == SEEN_BY_LLAMA_CPP.get(name, set())


def test_no_mark_of_a_whole_vocabulary_can_be_written_as_words(vocabulary: RealVocabulary) -> None:
    marks = [token for token in range(vocabulary.size) if vocabulary.words.mark(token)]
    assert any(vocabulary.attributes_of(token) & CONTROL for token in marks)
    for token in marks:
        mark = vocabulary.text_of(token)
        for text in (mark, f"a {mark} b", f"a{mark}{mark}b"):
            assert marks_in(vocabulary, vocabulary.words.tokens(text)) == []


def test_a_mark_is_cut_into_its_letters_and_nothing_else_changes(vocabulary: RealVocabulary) -> None:
    plain = "Milk & coffee <b>twice</b>, 3 < 4; für 猫 👩‍👩‍👧.\n\n  - one\n\t- two"
    assert vocabulary.words.tokens(plain) == vocabulary.tokenize(plain, False)
    assert vocabulary.words.tokens("") == ()


def test_no_text_of_the_corpus_closes_its_own_frame() -> None:
    builder = PromptBuilder(KNOWN["ChatML"][1])
    for item in CORPUS:
        opening, text, closing = builder.response(item.text).parts
        (code,) = re.findall(r"\[([b-z]{3,})\]", opening.text)
        assert closing.text == prompt.words.CLOSE.format(code=code)
        assert code not in text.text.casefold()


def test_corpus_families_stay_together() -> None:
    assert len([family for family, _ in groupby(item.family for item in CORPUS)]) == len(FAMILIES)
