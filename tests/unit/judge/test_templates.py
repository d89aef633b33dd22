"""Chat templates are untrusted code: used where they carry our texts as they are, else replaced by name."""

import pytest

from judge_local.prompts.templates import ChatShape, chat_shape

CHATML = (
    "{% for m in messages %}{{ '<|im_start|>' + m['role'] + '\n' + m['content'] + '<|im_end|>\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)
CHATML_SHAPE = ChatShape(
    "<|im_start|>system\n", "<|im_end|>\n<|im_start|>user\n", "<|im_end|>\n<|im_start|>assistant\n"
)


def shape(template: str | None, special: str = "<|im_start|>", needs_bos: bool = False) -> ChatShape:
    return chat_shape(template, "<s>", "</s>", needs_bos, lambda mark: mark == special)


def test_a_usable_template_is_split_at_its_slots() -> None:
    assert shape(CHATML) == CHATML_SHAPE


def test_a_template_that_trims_is_usable_because_our_texts_have_no_edges_to_trim() -> None:
    assert shape(CHATML.replace("m['content']", "m['content'] | trim")) == CHATML_SHAPE


def test_a_template_that_wants_a_list_as_content_gets_one() -> None:
    listed = CHATML.replace("m['content']", "m['content'][0]['text']")
    assert shape(listed) == CHATML_SHAPE


def test_without_a_system_role_the_instructions_open_the_users_turn() -> None:
    gemma = (
        "{% if messages[0]['role'] == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}"
        "{{ bos_token }}{% for m in messages %}<start_of_turn>user\n"
        "{{ m['content'] | trim }}<end_of_turn>\n{% endfor %}"
        "{% if add_generation_prompt %}<start_of_turn>model\n{{ '\n' }}{% endif %}"
    )
    got = shape(gemma)
    assert (got.head, got.between) == ("<s><start_of_turn>user\n", "\n\n")
    assert got.note == "The model's chat template has no system role: the instructions open the user's turn."


@pytest.mark.parametrize(
    ("template", "reason"),
    [
        ("{{ messages[0]['content'][:5] }}", "it does not carry the texts as they are"),
        ("{{ messages[1]['content'] }}{{ messages[0]['content'] }}", "it does not carry the texts as they are"),
        ("{% for m in messages %}{{ m['content'] * 2 }}{% endfor %}", "it does not carry the texts as they are"),
        ("{% for m in messages %}{{ m['content'] | lower }}{% endfor %}", "it does not carry the texts as they are"),
        ("{{ raise_exception('no thanks.') }}", "no thanks"),
        ("{% if %}", "Expected an expression, got 'end of statement block'"),
        ("{{ ''.__class__.__mro__[1].__subclasses__() }}", "access to attribute '__class__' of 'str' object is unsafe"),
        ("{% for i in range(10 ** 9) %}{% endfor %}", "OverflowError"),
        ("{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}", "TimeoutError"),
    ],
)
def test_an_unusable_template_is_replaced_and_the_note_says_so(template: str, reason: str) -> None:
    got = shape(template)
    assert (got.head, got.between, got.tail) == (CHATML_SHAPE.head, CHATML_SHAPE.between, CHATML_SHAPE.tail)
    assert got.note == f"The model's chat template could not be used ({reason}); the ChatML template stands in."


def test_a_model_of_another_family_gets_that_familys_template() -> None:
    got = shape(None, special="<|start_header_id|>")
    assert got.head.startswith("<|start_header_id|>system")
    assert got.note == "The model file has no chat template; the Llama 3 template stands in."


def test_a_model_of_no_known_family_gets_plain_text() -> None:
    got = shape(None, special="")
    assert (got.head, got.between, got.tail) == ("", "\n\n", "\n\n")
    assert got.note == "The model file has no chat template; the prompt is plain text."


def test_a_thinking_model_is_given_its_thoughts() -> None:
    opened = shape(CHATML.replace("assistant\n", "assistant\n<think>\n"))
    assert opened.tail.endswith("<think>\n\n</think>\n\n")
    asked = "{% if enable_thinking is defined and not enable_thinking %}{{ '<think>\n\n</think>\n\n' }}{% endif %}"
    assert shape(CHATML + asked).tail.endswith("<think>\n\n</think>\n\n")


def test_the_date_is_not_in_the_prompt() -> None:
    dated = "{% if strftime_now is defined %}{{ strftime_now('%d %b') }}{% else %}26 Jul{% endif %}"
    assert shape(dated + CHATML).head.startswith("26 Jul")


def test_a_model_that_needs_a_bos_token_gets_exactly_one() -> None:
    assert shape(CHATML, needs_bos=True).head == "<s>" + CHATML_SHAPE.head
    assert shape("{{ bos_token }}" + CHATML, needs_bos=True).head == "<s>" + CHATML_SHAPE.head
