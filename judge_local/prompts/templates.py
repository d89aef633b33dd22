"""A model's chat template, brought down to three fixed texts: before the system's, between it and the user's, after.

The template comes with the model and is untrusted code: it is rendered in jinja2's sandbox, with a sentinel in each
slot, and split there, so that it never sees a text of ours or anybody's. A template that cannot do so is replaced by a
known one, and `note` says so for the ruler.
"""

import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from types import FrameType
from typing import Any

from jinja2 import TemplateError
from jinja2.sandbox import ImmutableSandboxedEnvironment

_SYSTEM_SLOT = "GAMUTSLOTSYSTEM"
_USER_SLOT = "GAMUTSLOTUSER"
_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class ChatShape:
    """What stands before the system text, between it and the user's text, and after that up to the model's own words.

    note: a sentence about a template that could not be used as it is; None if it could.
    """

    head: str
    between: str
    tail: str
    note: str | None = None


KNOWN = {
    "ChatML": (
        "<|im_start|>",
        ChatShape("<|im_start|>system\n", "<|im_end|>\n<|im_start|>user\n", "<|im_end|>\n<|im_start|>assistant\n"),
    ),
    "Llama 3": (
        "<|start_header_id|>",
        ChatShape(
            "<|start_header_id|>system<|end_header_id|>\n\n",
            "<|eot_id|><|start_header_id|>user<|end_header_id|>\n\n",
            "<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n",
        ),
    ),
    "Gemma": ("<start_of_turn>", ChatShape("<start_of_turn>user\n", "\n\n", "<end_of_turn>\n<start_of_turn>model\n")),
    "Phi": ("<|assistant|>", ChatShape("<|system|>\n", "<|end|>\n<|user|>\n", "<|end|>\n<|assistant|>\n")),
    "Mistral": ("[INST]", ChatShape("[INST] ", "\n\n", " [/INST]")),
}
PLAIN = ChatShape("", "\n\n", "\n\n")


def chat_shape(
    template: str | None, bos: str, eos: str, needs_bos: bool, is_special: Callable[[str], bool]
) -> ChatShape:
    """The shape of that template, else a known one whose opening mark `is_special` (one token) in this vocabulary.

    needs_bos: the model wants every sequence to open with `bos`; it is put there where the template did not.
    """
    shape = _usable(template, bos, eos, is_special)
    missing = needs_bos and not shape.head.startswith(bos)
    return replace(shape, head=bos + shape.head) if missing else shape


def _usable(template: str | None, bos: str, eos: str, is_special: Callable[[str], bool]) -> ChatShape:
    if template is None:
        return _known("The model file has no chat template", is_special)
    reason = ""
    for messages, note in _attempts():
        try:
            shape = _split(_render(template, messages, bos, eos))
        except Exception as error:  # noqa: BLE001 - untrusted code may raise anything; then it is not used
            reason = reason or (str(error) if isinstance(error, TemplateError) else type(error).__name__)
        else:
            if shape is not None:
                return replace(shape, note=note)
            reason = reason or "it does not carry the texts as they are"
    return _known(f"The model's chat template could not be used ({_line(reason)})", is_special)


def _attempts() -> list[tuple[list[dict[str, Any]], str | None]]:
    both = f"{_SYSTEM_SLOT}\n\n{_USER_SLOT}"
    system, user, alone = {"role": "system"}, {"role": "user"}, {"role": "user"}

    def listed(text: str) -> list[dict[str, str]]:
        return [{"type": "text", "text": text}]

    no_system = "The model's chat template has no system role: the instructions open the user's turn."
    return [
        ([{**system, "content": _SYSTEM_SLOT}, {**user, "content": _USER_SLOT}], None),
        ([{**system, "content": listed(_SYSTEM_SLOT)}, {**user, "content": listed(_USER_SLOT)}], None),
        ([{**alone, "content": both}], no_system),
        ([{**alone, "content": listed(both)}], no_system),
    ]


def _render(template: str, messages: list[dict[str, Any]], bos: str, eos: str) -> str:
    """Render as Hugging Face does, without the date (a prompt must not change overnight) and without thinking."""
    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.loopcontrols"]
    )
    environment.globals["raise_exception"] = _raise
    with _time_limit(_SECONDS):
        return environment.from_string(template).render(
            messages=messages, add_generation_prompt=True, bos_token=bos, eos_token=eos, enable_thinking=False
        )


def _split(rendered: str) -> ChatShape | None:
    """None unless each slot is there exactly once, in order, and not inside a list that was printed as it is."""
    found = re.findall(f"{_SYSTEM_SLOT}|{_USER_SLOT}", rendered)
    if found != [_SYSTEM_SLOT, _USER_SLOT] or re.search(r"""['"]text['"]: ?['"]GAMUTSLOT""", rendered):
        return None
    head, rest = rendered.split(_SYSTEM_SLOT)
    between, tail = rest.split(_USER_SLOT)
    if tail.rstrip().endswith("<think>"):  # a thinking model is given its thoughts: none
        tail = tail.rstrip() + "\n\n</think>\n\n"
    return ChatShape(head, between, tail)


def _known(why: str, is_special: Callable[[str], bool]) -> ChatShape:
    for name, (mark, shape) in KNOWN.items():
        if is_special(mark):
            return replace(shape, note=f"{why}; the {name} template stands in.")
    return replace(PLAIN, note=f"{why}; the prompt is plain text.")


def _raise(message: str) -> None:
    raise TemplateError(message)


def _line(text: str) -> str:
    return " ".join(text.split())[:200].rstrip(".")


@contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    """Raise TimeoutError inside Python code that runs longer: the sandbox bounds a loop, not loops within loops."""
    end = time.monotonic() + seconds

    def trace(_frame: FrameType, _event: str, _arg: Any) -> Any:
        if time.monotonic() > end:
            raise TimeoutError
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        yield
    finally:
        sys.settrace(before)
