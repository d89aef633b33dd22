"""Pictures through mtmd: a projector beside the text model, pictures as pieces of a path, encoded once, kept a while.

Text around a picture is tokenized in the same call, part by part, special tokens on for ours alone; a model's own marks
around a picture (begin, end, rows of slices) come from mtmd. No media marker is ever looked for in anybody's text.
"""

import ctypes
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from llama_cpp import llama_cpp as low
from llama_cpp import mtmd_cpp as mtmd
from numpy.typing import NDArray

from judge_local.llama.modelfile import ModelFileError
from judge_local.port import Picture
from judge_local.tree import Aborted, EngineFailure, Piece, Pieces, Seen

_KEPT_BYTES = 32 << 20
_TEXT, _IMAGE = mtmd.MTMD_INPUT_CHUNK_TYPE_TEXT, mtmd.MTMD_INPUT_CHUNK_TYPE_IMAGE


class Vision:
    """A projector, loaded beside its text model. `encoded` counts pictures (or slices) that were really encoded.

    Raises ModelFileError where it cannot be loaded or does not fit; `why` gives llama.cpp's reason.
    """

    def __init__(self, projector: Path, model: Any, threads: int, use_gpu: bool, why: Any) -> None:
        params = mtmd.mtmd_context_params_default()
        params.use_gpu, params.n_threads, params.print_timings, params.warmup = use_gpu, threads, False, False
        self._projector = projector
        self._context = mtmd.mtmd_init_from_file(str(projector).encode(), model, params)
        if not self._context:
            raise ModelFileError(
                f"The projector {projector.name} could not be loaded beside this model: {why()}.",
                "Take the projector (mmproj) that was made for this very model.",
            )
        if not mtmd.mtmd_support_vision(self._context):
            mtmd.mtmd_free(self._context)
            raise ModelFileError(
                f"{projector.name} is not for pictures.", "Take the model's vision projector (mmproj)."
            )
        self._chunks: dict[str, Any] = {}  # by name: mtmd's chunk, with its pixels until they are encoded
        self._encoded: OrderedDict[str, NDArray[np.float32]] = OrderedDict()
        self._known: dict[tuple[object, ...], Pieces] = {}
        self._width = int(low.llama_model_n_embd_inp(model))
        self.encoded = 0

    def pieces(self, parts: Sequence[tuple[str, bool] | Picture]) -> Pieces:
        """Parts as pieces: text (with whether its special tokens count) and pictures. Raises EngineFailure."""
        key = tuple(_name_of(part) if isinstance(part, Picture) else part for part in parts)
        if key not in self._known or not all(p.name in self._encoded for p in self._known[key] if isinstance(p, Seen)):
            self._known[key] = self._prepared(parts)
        return self._known[key]

    def _prepared(self, parts: Sequence[tuple[str, bool] | Picture]) -> Pieces:
        held: list[Any] = []  # what the parts point at must live as long as the call
        pictures = [part for part in parts if isinstance(part, Picture)]
        bitmaps = [self._bitmap(picture) for picture in pictures]
        chunks = mtmd.mtmd_input_chunks_init()
        try:
            array = (ctypes.POINTER(mtmd.mtmd_input_part) * len(parts))()
            left = iter(bitmaps)
            for number, part in enumerate(parts):
                entry = mtmd.mtmd_input_part()
                if isinstance(part, Picture):
                    entry.bitmap = next(left)
                else:
                    raw = part[0].encode("utf-8", "replace")
                    text = mtmd.mtmd_input_text(raw, len(raw), False, part[1])
                    entry.text = ctypes.pointer(text)
                    held += [raw, text]
                held.append(entry)
                array[number] = ctypes.pointer(entry)
            code = mtmd.mtmd_tokenize_from_parts(self._context, chunks, array, len(parts), False)
            if code != 0:
                raise EngineFailure(f"llama.cpp could not prepare a picture for this model (code {code}).")
            return self._read(chunks, pictures)
        finally:
            mtmd.mtmd_input_chunks_free(chunks)
            for bitmap in bitmaps:
                mtmd.mtmd_bitmap_free(bitmap)

    def _bitmap(self, picture: Picture) -> Any:
        pixels = (ctypes.c_uint8 * len(picture.rgb)).from_buffer_copy(picture.rgb)
        return mtmd.mtmd_bitmap_init(picture.width, picture.height, pixels)

    def _read(self, chunks: Any, pictures: Sequence[Picture]) -> Pieces:
        pieces: list[Piece] = []
        slices = 0
        whole = "+".join(map(_name_of, pictures))
        for number in range(mtmd.mtmd_input_chunks_size(chunks)):
            chunk = mtmd.mtmd_input_chunks_get(chunks, number)
            kind = mtmd.mtmd_input_chunk_get_type(chunk)
            if kind == _TEXT:
                count = ctypes.c_size_t()
                tokens = mtmd.mtmd_input_chunk_get_tokens_text(chunk, ctypes.byref(count))
                pieces.append(tuple(tokens[: count.value]))
            elif kind == _IMAGE:
                name = f"{whole}/{slices}"
                slices += 1
                if name not in self._encoded:
                    self._replace(name, mtmd.mtmd_input_chunk_copy(chunk))
                tokens_there = mtmd.mtmd_input_chunk_get_n_tokens(chunk)
                pieces.append(Seen(name, tokens_there, mtmd.mtmd_input_chunk_get_n_pos(chunk)))
            else:
                raise EngineFailure("This projector made something of a picture that is neither text nor image.")
        return tuple(piece for piece in pieces if piece)

    def decode(self, seen: Seen, context: Any, start: int, sequence: int, batch: int) -> None:
        """Append the picture's tokens to that sequence, encoding it first if need be. Raises as evaluate does."""
        chunk = self._chunks.get(seen.name)
        if chunk is None:
            raise EngineFailure("A picture was asked for that is not there any more.")
        if mtmd.mtmd_decode_use_non_causal(self._context, chunk) and seen.tokens > batch:
            raise EngineFailure(
                f"This model must read a picture of {seen.tokens:,} tokens in one batch, and a batch holds {batch:,}."
            )
        embedded = self._embedded(seen, chunk)
        chunk = self._chunks[seen.name]
        after = low.llama_pos(0)
        pointer = embedded.ctypes.data_as(ctypes.POINTER(ctypes.c_float))
        code = mtmd.mtmd_helper_decode_image_chunk(
            self._context,
            context,
            chunk,
            pointer,
            start,
            sequence,
            batch,
            ctypes.byref(after),
            mtmd.mtmd_helper_post_decode_callback(),
            None,
        )
        if code == 2:
            raise Aborted
        if code != 0:
            raise EngineFailure(
                f"llama.cpp could not evaluate a picture of {seen.tokens:,} tokens at {start:,} (code {code})."
            )

    def _embedded(self, seen: Seen, chunk: Any) -> NDArray[np.float32]:
        """tokens x width floats, kept for the next time as long as there is room."""
        known = self._encoded.get(seen.name)
        if known is not None:
            self._encoded.move_to_end(seen.name)
            return known
        code = mtmd.mtmd_encode_chunk(self._context, chunk)
        pointer = mtmd.mtmd_get_output_embd(self._context)
        if code != 0 or not pointer:
            raise EngineFailure(f"llama.cpp could not encode a picture (code {code}).")
        self.encoded += 1
        made: NDArray[np.float32] = np.ctypeslib.as_array(pointer, shape=(seen.tokens * self._width,)).copy()
        if not np.isfinite(made).all():
            raise EngineFailure("What the projector made of a picture is not finite: its file is broken.")
        self._encoded[seen.name] = made
        self._replace(seen.name, mtmd.mtmd_input_chunk_get_placeholder(chunk))  # its pixels are of no use any more
        while len(self._encoded) > 1 and sum(each.nbytes for each in self._encoded.values()) > _KEPT_BYTES:
            name, _ = self._encoded.popitem(last=False)
            self._replace(name, None)
            self._known = {
                key: pieces
                for key, pieces in self._known.items()
                if all(name != getattr(p, "name", "") for p in pieces)
            }
        return made

    def _replace(self, name: str, chunk: Any) -> None:
        if (before := self._chunks.pop(name, None)) is not None:
            mtmd.mtmd_input_chunk_free(before)
        if chunk is not None:
            self._chunks[name] = chunk

    def close(self) -> None:
        """Free the projector and every picture."""
        for name in list(self._chunks):
            self._replace(name, None)
        mtmd.mtmd_free(self._context)


def _shows(pieces: Pieces, name: str) -> bool:
    return any(isinstance(piece, Seen) and piece.name == name for piece in pieces)


def _name_of(picture: Picture) -> str:
    return f"{picture.sha256}.{picture.width}x{picture.height}"
