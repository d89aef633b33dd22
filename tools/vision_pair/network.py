"""The pair in torch, computing what llama.cpp computes: a llama (RMS norm, interleaved RoPE, SwiGLU) and a small ViT.

The llama is evaluated level by level: a level's rows see their own tokens causally and what `Past` holds, so the keys
and values of a shared prefix are computed once however many branches hang from it.
"""

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from tools.vision_pair.gguf_writer import TextConfig, VisionConfig
from tools.vision_pair.pictures import COLOURS, COUNTS, POSITIONS, SHAPES

EMBEDDING_DEVIATION = 0.3  # of words at the start, and of picture tokens, so that neither drowns the other
# Layers whose first head is told where to look in training: from a picture to its number and from a claim to "first" or
# "second"; from a claim to its picture; from a check to the word that names its attribute, and from there to the claim.
GUIDED = (0, 1, 2, 3)
_FACES = {"colour": len(COLOURS), "shape": len(SHAPES), "count": len(COUNTS), "position": len(POSITIONS)}


@dataclass
class Past:
    """Keys and values of each layer, (rows, heads, tokens, head size); real, (rows, tokens): which are no padding."""

    layers: list[tuple[Tensor, Tensor]]
    real: Tensor

    def at(self, rows: Tensor) -> "Past":
        """The past of those rows, repeated as asked."""
        return Past([(k[rows], v[rows]) for k, v in self.layers], self.real[rows])


class Llama(nn.Module):
    """Token ids or embeddings in, hidden states out; the output is tied to the embedding."""

    def __init__(self, config: TextConfig, vocabulary: int, stops: tuple[int, ...]) -> None:
        super().__init__()
        self.config, self.stops = config, stops
        d, f = config.width, config.feed_forward
        self.embedding = nn.Embedding(vocabulary, d)
        nn.init.normal_(self.embedding.weight, std=EMBEDDING_DEVIATION)
        self.blocks = nn.ModuleList(
            nn.ModuleDict(
                {
                    "attn_norm": nn.RMSNorm(d, config.eps),
                    "attn_q": nn.Linear(d, d, bias=False),
                    "attn_k": nn.Linear(d, d, bias=False),
                    "attn_v": nn.Linear(d, d, bias=False),
                    "attn_output": nn.Linear(d, d, bias=False),
                    "ffn_norm": nn.RMSNorm(d, config.eps),
                    "ffn_gate": nn.Linear(d, f, bias=False),
                    "ffn_up": nn.Linear(d, f, bias=False),
                    "ffn_down": nn.Linear(f, d, bias=False),
                }
            )
            for _ in range(config.layers)
        )
        self.output_norm = nn.RMSNorm(d, config.eps)
        nn.init.constant_(self.output_norm.weight, 0.3)
        self.facts = nn.Linear(d, sum(_FACES.values()))  # these three of training alone: what the picture shows,
        self.claims = nn.Linear(d, 2)  # then whether a claim is right,
        self.verdicts = nn.Linear(d, 4)  # then the verdict, before its letter
        for block in self.blocks:
            for name in ("attn_output", "ffn_down"):
                nn.init.zeros_(block[name].weight)

    def forward(
        self, x: Tensor, positions: Tensor, real: Tensor, past: Past | None, only: Tensor | None = None
    ) -> tuple[list[Tensor], Tensor, Past, list[Tensor]]:
        """x: (rows, branches, tokens, width); positions, real (no padding, which stands last): the same without width.

        The branches of a row share its past and do not see each other. only: (rows, branches), the one token of each
        whose last state is wanted. Returns the states after the layers in `stops` and after the last norm, the past
        with these tokens added, which is one only where there is one branch, and for the layers in `GUIDED` where their
        first head looks: logs, (rows * branches, tokens, past and own tokens).
        """
        rows, branches, tokens, _ = x.shape
        mask = torch.zeros(tokens, tokens).masked_fill_(torch.ones(tokens, tokens, dtype=torch.bool).triu(1), -1e9)
        mask = mask.expand(rows, branches, -1, -1)
        if past is not None:
            before = torch.zeros(past.real.shape).masked_fill_(~past.real, -1e9)
            mask = torch.cat([before[:, None, None].expand(-1, branches, tokens, -1), mask], 3)
        x, mask, turn = x.flatten(0, 1), mask.flatten(0, 1)[:, None], _turn(positions.flatten(0, 1), self.config)
        cue = None if only is None else only.flatten()
        layers: list[tuple[Tensor, Tensor]] = []
        states: list[Tensor] = []
        looks: list[Tensor] = []
        for number, block in enumerate(self.blocks):
            at = cue if number + 1 == len(self.blocks) else None
            x, kept, look = self._block(
                block, x, turn, mask, past.layers[number] if past else None, at, number in GUIDED
            )
            layers.append(kept)
            looks += [] if look is None else [look]
            states += [x] if number + 1 in self.stops else []
        whole = real[:, 0] if past is None else torch.cat([past.real, real[:, 0]], 1)
        shape = (rows, branches)
        states = [state.unflatten(0, shape) for state in states]
        return states, self.output_norm(x).unflatten(0, shape), Past(layers, whole), looks

    def _block(
        self,
        block: nn.Module,
        x: Tensor,
        turn: Tensor,
        mask: Tensor,
        past: tuple[Tensor, Tensor] | None,
        only: Tensor | None,
        guided: bool,
    ) -> tuple[Tensor, tuple[Tensor, Tensor], Tensor | None]:
        size = self.config.width // self.config.heads
        h = block["attn_norm"](x)  # type: ignore[index]
        q, k, v = (
            block[name](h).unflatten(-1, (-1, size)).transpose(1, 2)  # type: ignore[index]
            for name in ("attn_q", "attn_k", "attn_v")
        )
        q, k = _rotate(q, turn), _rotate(k, turn)
        if past is not None:
            k, v = _after(past[0], k), _after(past[1], v)
        look = None
        if guided:
            look = (q[:, 0] @ k[:, 0].transpose(1, 2) / size**0.5 + mask[:, 0]).log_softmax(-1)
        if only is not None:
            rows = torch.arange(len(only))
            q, mask, x = q[rows, :, only][:, :, None], mask[rows, :, only][:, :, None], x[rows, only][:, None]
        a = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        x = x + block["attn_output"](a.transpose(1, 2).flatten(2))  # type: ignore[index]
        h = block["ffn_norm"](x)  # type: ignore[index]
        x = x + block["ffn_down"](F.silu(block["ffn_gate"](h)) * block["ffn_up"](h))  # type: ignore[index]
        return x, (k, v), look

    def logits(self, states: Tensor) -> Tensor:
        return states @ self.embedding.weight.T

    def tensors(self) -> dict[str, Tensor]:
        """Under llama.cpp's names."""
        found = {"token_embd.weight": self.embedding.weight, "output_norm.weight": self.output_norm.weight}
        for number, block in enumerate(self.blocks):
            found |= {f"blk.{number}.{name}": tensor for name, tensor in block.named_parameters()}
        return found


def _after(past: Tensor, own: Tensor) -> Tensor:
    """Each row's past before each of its branches' own keys or values."""
    branches = own.shape[0] // past.shape[0]
    return torch.cat([past[:, None].expand(-1, branches, -1, -1, -1).flatten(0, 1), own], 2)


def _turn(positions: Tensor, config: TextConfig) -> Tensor:
    """cos and sin of each position's angles: (2, rows, 1, tokens, head size / 2)."""
    size = config.width // config.heads
    rates = config.rope_base ** (-torch.arange(0, size, 2) / size)
    angles = positions[:, None, :, None] * rates
    return torch.stack([angles.cos(), angles.sin()])


def _rotate(x: Tensor, turn: Tensor) -> Tensor:
    """Neighbouring numbers are a pair, as llama.cpp has it for `llama`."""
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack([a * turn[0] - b * turn[1], a * turn[1] + b * turn[0]], -1).flatten(-2)


class Eye(nn.Module):
    """Pixels (pictures, 3, side, side), 0..255, to picture tokens (pictures, tokens, text width)."""

    def __init__(self, config: VisionConfig) -> None:
        super().__init__()
        self.config = config
        d, f = config.width, config.feed_forward
        self.patch_embd = nn.Conv2d(3, d, config.patch_size, config.patch_size)
        self.position_embd = nn.Parameter(torch.randn(config.tokens, d) * 0.2)
        self.blocks = nn.ModuleList(
            nn.ModuleDict(
                {
                    "ln1": nn.LayerNorm(d, config.eps),
                    "attn_q": nn.Linear(d, d),
                    "attn_k": nn.Linear(d, d),
                    "attn_v": nn.Linear(d, d),
                    "attn_out": nn.Linear(d, d),
                    "ln2": nn.LayerNorm(d, config.eps),
                    "ffn_up": nn.Linear(d, f),
                    "ffn_down": nn.Linear(f, d),
                }
            )
            for _ in range(config.layers)
        )
        self.post_ln = nn.LayerNorm(d, config.eps)
        self.project = nn.ModuleDict(
            {"0": nn.Linear(d, config.text_width), "2": nn.Linear(config.text_width, config.text_width)}
        )
        self.faces = nn.ModuleDict({name: nn.Linear(config.text_width, n) for name, n in _FACES.items()})
        self.register_buffer("mean", torch.tensor(config.mean)[:, None, None], persistent=False)
        self.register_buffer("std", torch.tensor(config.std)[:, None, None], persistent=False)

    def forward(self, pixels: Tensor) -> Tensor:
        x = self.patch_embd((pixels / 255 - self.mean) / self.std).flatten(2).transpose(1, 2) + self.position_embd
        heads = self.config.heads
        for block in self.blocks:
            h = block["ln1"](x)  # type: ignore[index]
            q, k, v = (
                block[name](h).unflatten(-1, (heads, -1)).transpose(1, 2)  # type: ignore[index]
                for name in ("attn_q", "attn_k", "attn_v")
            )
            a = F.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2)
            x = x + block["attn_out"](a)  # type: ignore[index]
            h = F.gelu(block["ffn_up"](block["ln2"](x)), approximate="tanh")  # type: ignore[index]
            x = x + block["ffn_down"](h)  # type: ignore[index]
        x = F.gelu(self.project["0"](self.post_ln(x)), approximate="tanh")
        seen: Tensor = self.project["2"](x)
        return seen

    @torch.no_grad()
    def level(self, pixels: Tensor) -> None:
        """Scale the picture tokens to the deviation that words have, and what reads them to the inverse."""
        scale = EMBEDDING_DEVIATION / self(pixels).std()
        for parameter in self.project["2"].parameters():
            parameter.mul_(scale)
        for face in self.faces.values():
            face.weight.div_(scale)  # type: ignore[operator, union-attr]

    def told(self, seen: Tensor) -> dict[str, Tensor]:
        """Of training alone: what the tokens say of colour, shape, count and position, as logits."""
        pooled = seen.mean(1)
        return {name: face(pooled) for name, face in self.faces.items()}

    def tensors(self) -> dict[str, Tensor]:
        """Under llama.cpp's names."""
        found = {
            "v.patch_embd.weight": self.patch_embd.weight,
            "v.patch_embd.bias": self.patch_embd.bias,
            "v.position_embd.weight": self.position_embd,
            "v.post_ln.weight": self.post_ln.weight,
            "v.post_ln.bias": self.post_ln.bias,
        }
        found |= {f"mm.{name}": tensor for name, tensor in self.project.named_parameters()}
        for number, block in enumerate(self.blocks):
            found |= {f"v.blk.{number}.{name}": tensor for name, tensor in block.named_parameters()}
        return found
