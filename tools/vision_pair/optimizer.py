"""Muon for matrices (K. Jordan, 2024: momentum, orthogonalised by a Newton-Schulz iteration), Adam for the rest.

On a small model and few steps it needs about half the steps of Adam alone.
"""

from collections.abc import Iterable

import torch
from torch import Tensor, nn


class Muon:
    """Matrices of one shape are orthogonalised together. `rate(share)` scales both learning rates."""

    def __init__(self, modules: Iterable[nn.Module], matrix_rate: float, other_rate: float) -> None:
        matrices: dict[torch.Size, list[nn.Parameter]] = {}
        others: list[nn.Parameter] = []
        for module in modules:
            for name, parameter in module.named_parameters():
                if parameter.ndim == 2 and "blocks" in name:
                    matrices.setdefault(parameter.shape, []).append(parameter)
                else:
                    others.append(parameter)
        self._groups = [(stack, [torch.zeros_like(p) for p in stack]) for stack in matrices.values()]
        self._adam = torch.optim.Adam(others, other_rate, betas=(0.9, 0.97))
        self._rates = (matrix_rate, other_rate)

    def step(self, share: float) -> None:
        """Apply the gradients at that share of the full learning rates, and clear them."""
        self._adam.param_groups[0]["lr"] = self._rates[1] * share
        self._adam.step()
        self._adam.zero_grad()
        for stack, momenta in self._groups:
            for parameter, momentum in zip(stack, momenta, strict=True):
                momentum.lerp_(parameter.grad if parameter.grad is not None else torch.zeros_like(parameter), 0.05)
            looking_ahead = torch.stack(
                [m if p.grad is None else m.lerp(p.grad, 0.05) for p, m in zip(stack, momenta, strict=True)]
            )
            rate = self._rates[0] * share * max(1.0, stack[0].shape[0] / stack[0].shape[1]) ** 0.5
            with torch.no_grad():
                for parameter, update in zip(stack, _orthogonal(looking_ahead), strict=True):
                    parameter.mul_(1 - 0.05 * rate).sub_(rate * update)
                    parameter.grad = None


@torch.no_grad()
def _orthogonal(stack: Tensor) -> Tensor:
    """Near-orthogonal matrices with the same row and column spaces: (n, rows, columns)."""
    tall = stack.shape[1] > stack.shape[2]
    x = stack.transpose(1, 2) if tall else stack
    x = x / (x.flatten(1).norm(dim=1)[:, None, None] + 1e-7)
    for _ in range(5):
        a = x @ x.transpose(1, 2)
        x = 3.4445 * x + (-4.775 * a + 2.0315 * a @ a) @ x
    return x.transpose(1, 2) if tall else x
