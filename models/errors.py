"""The one base class of every error a person can meet: a sentence, and what to do next.

Bugs are not GamutErrors: they keep their traceback. The command line and the window show these two texts alone.
"""


class GamutError(Exception):
    """An expected failure, told as one sentence (`sentence`) and a next step (`next_step`)."""

    def __init__(self, sentence: str, next_step: str) -> None:
        super().__init__(sentence, next_step)
        self.sentence = sentence
        self.next_step = next_step

    def __str__(self) -> str:
        return f"{self.sentence} {self.next_step}"
