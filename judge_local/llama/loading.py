"""Loading a model and opening a context for it, as large as this machine allows; what did not fit is a remark.

The order of giving way: layers leave the graphics processor for the processor, then the context is halved, down to
2,048 tokens. Nothing gives way in silence: each step is a lasting remark, and the ruler has what it really is.
"""

import ctypes
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from llama_cpp import llama_cpp as low
from llama_cpp import mtmd_cpp as mtmd

from judge_local.llama.machine import threads_remark
from judge_local.llama.modelfile import ModelFileError
from judge_local.llama.options import LoadOptions
from judge_local.port import Remark

_LOG_LINES_KEPT = 2000
_DEBUG = 1
_MOST_CONTEXT = 8192
_LEAST_CONTEXT = 2048
_CHEAP_BRANCH_BYTES = 256 << 20
_ALL_LAYERS = 999


class _Log:
    """llama.cpp's log of this process, kept in memory: errors become sentences, the rest is never printed."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._callback = low.llama_log_callback(self._receive)
        for set_log in (low.llama_log_set, mtmd.mtmd_helper_log_set):
            set_log(self._callback, ctypes.c_void_p(0))

    def _receive(self, level: int, text: bytes, _user_data: int | None) -> None:
        if level == _DEBUG:
            return
        self.lines.append(text.decode(errors="replace").rstrip("\n"))
        del self.lines[:-_LOG_LINES_KEPT]

    def start_over(self) -> None:
        self.lines.clear()

    def reason(self) -> str:
        """The most telling line about a failed load, without the names of llama.cpp's functions."""
        told = [line for line in self.lines if "error loading model" in line or "mismatch" in line] or [
            line for line in self.lines if "failed" in line or "error" in line
        ]
        if not told:
            return "llama.cpp gave no reason"
        return re.sub(r"^(\w+: )+", "", told[0]).removeprefix("error loading model: ").rstrip(".")

    def says_no_memory(self) -> bool:
        """Whether something could not be allocated."""
        return any(re.search(r"alloc|out of memory", line) and "fail" in line.lower() for line in self.lines)


LOG = _Log()  # llama.cpp keeps a pointer to its callback for as long as the process lives


@dataclass(frozen=True)
class Loaded:
    """A model with its context, and how they came to be. abort: must live as long as the context."""

    model: Any
    context: Any
    abort: Any
    gpu_layers: int
    flash_attention: bool
    sequences: int
    devices: tuple[str, ...]
    remarks: tuple[Remark, ...]

    def close(self) -> None:
        """Free both."""
        low.llama_free(self.context)
        low.llama_model_free(self.model)


def load(options: LoadOptions, aborted: Callable[[], bool]) -> Loaded:
    """Load as asked, or as near to it as fits. Raises ModelFileError."""
    LOG.start_over()
    low.llama_backend_init()
    layers = _gpu_layers(options.gpu_layers)
    remarks = [threads_remark(options.threads, options.threads_chosen)]
    model = _model(options.path, layers)
    if model is None and layers and LOG.says_no_memory():
        remarks.append(_left_gpu(options.path))
        layers, model = 0, _model(options.path, 0)
    if model is None:
        raise ModelFileError(
            f"{options.path.name} could not be loaded: {LOG.reason()}.",
            "The file is damaged, incomplete or of a kind that this llama.cpp does not know; fetch it again.",
        )
    abort = low.ggml_abort_callback(lambda _data: aborted())
    asked = options.context or min(low.llama_model_n_ctx_train(model), _MOST_CONTEXT)
    context = _fitting(asked, model, options)
    while True:
        sequences = options.sequences or _cheap_branches(context, model, options.memory)
        flash = layers > 0 if options.flash_attention is None else options.flash_attention
        opened = _open(model, replace(options, context=context, sequences=sequences), flash, abort)
        if opened:
            break
        if layers:
            remarks.append(_left_gpu(options.path))
            low.llama_model_free(model)
            layers, model = 0, _model(options.path, 0)
            if model is None:
                raise ModelFileError(f"{options.path.name} could not be loaded: {LOG.reason()}.", "Load it again.")
        elif context > _LEAST_CONTEXT:
            context = max(context // 2, _LEAST_CONTEXT)
        else:
            low.llama_model_free(model)
            raise ModelFileError(
                f"No context of {context:,} tokens could be opened for {options.path.name}: {LOG.reason()}.",
                "Ask for a smaller context, or close programs that hold memory.",
            )
    if context < asked:
        need = asked * _cell_bytes(model) * (options.sequences or 1)
        remarks.append(
            Remark(
                f"A context of {asked:,} tokens ({need / 1e9:.1f} GB) does not fit this computer's free memory:"
                f" it holds {context:,}. A response longer than that is left out and named.",
                lasting=True,
            )
        )
    devices = _devices(layers)
    remarks.append(_device_remark(devices, layers, low.llama_model_n_layer(model)))
    return Loaded(model, opened, abort, layers, flash, sequences, devices, tuple(remarks))


def _model(path: Path, layers: int) -> Any:
    params = low.llama_model_default_params()
    params.n_gpu_layers = layers
    return low.llama_model_load_from_file(str(path).encode(), params)


def _open(model: Any, options: LoadOptions, flash: bool, abort: Any) -> Any:
    assert options.context is not None
    assert options.sequences is not None
    params = low.llama_context_default_params()
    # Each sequence has cells of its own, so that a path's bits do not depend on what lies beside it; a pack shares one
    # row of cells instead, and depends on it.
    params.kv_unified = options.packs > 0
    params.n_seq_max = options.sequences + options.packs
    params.n_ctx = options.context if options.packs else options.context * options.sequences
    # One physical batch per logical batch: llama.cpp must not cut chunks again at places of its own.
    params.n_batch = params.n_ubatch = min(options.batch, options.context)
    # One row of logits per sequence at most: the output buffers shrink from batch x vocabulary to a few rows.
    params.n_outputs_max, params.n_outputs_max_per_seq = params.n_seq_max, 1
    params.n_threads = params.n_threads_batch = options.threads
    params.flash_attn_type = int(flash)  # never "auto": the ruler says which
    params.swa_full = True  # a sliding-window cache that forgets cannot be cut back
    params.abort_callback = abort
    return low.llama_init_from_model(model, params)


def _fitting(context: int, model: Any, options: LoadOptions) -> int:
    """That context, halved until one branch of it fits the memory given."""
    if options.memory is not None and not low.llama_model_is_recurrent(model):
        while context > _LEAST_CONTEXT and context * _cell_bytes(model) * (options.sequences or 1) > options.memory:
            context = max(context // 2, _LEAST_CONTEXT)
    return context


def _cell_bytes(model: Any) -> int:
    """Bytes of keys and values for one token: two halves of f16 over all layers and key-value heads."""
    head = low.llama_model_n_embd(model) // max(1, low.llama_model_n_head(model))
    return int(4 * low.llama_model_n_layer(model) * low.llama_model_n_head_kv(model) * head)


def _cheap_branches(context: int, model: Any, memory: int | None) -> int:
    """Two branches where one takes little memory; other branches wait on disk."""
    branch = context * _cell_bytes(model)
    return 2 if branch <= _CHEAP_BRANCH_BYTES and (memory is None or 2 * branch <= memory) else 1


def _gpu_layers(asked: int | None) -> int:
    can = bool(low.llama_supports_gpu_offload())
    if asked and not can:
        raise ModelFileError(
            f"{asked} layers were to run on a graphics processor, but this build of llama.cpp has no support for one.",
            "Set the layers to 0, or install a build of llama-cpp-python for your graphics processor.",
        )
    return asked if asked is not None else (_ALL_LAYERS if can else 0)


def _devices(layers: int) -> tuple[str, ...]:
    """cpu, or the devices that llama.cpp's load log names."""
    found = (re.search(r"using device (\S+ \(.*?\))", line) for line in LOG.lines)
    named = tuple(match[1] for match in found if match)
    return named if named and layers else ("cpu",)


def _device_remark(devices: tuple[str, ...], layers: int, of: int) -> Remark:
    if devices != ("cpu",):
        return Remark(f"On {', '.join(devices)}: {min(layers, of)} of {of} layers.")
    if low.llama_supports_gpu_offload():
        return Remark("On the processor.")
    return Remark("On the processor: this build of llama.cpp was made without support for a graphics processor.")


def _left_gpu(path: Path) -> Remark:
    return Remark(
        f"{path.name} does not fit the graphics processor's memory: it runs on the processor, several times slower.",
        lasting=True,
    )
