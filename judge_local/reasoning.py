"""A judge's own words in reasoned style: the grammar they are held to, and what is read from them.

Reason first, then the quote, then the letter; the letter is not written but read from the probabilities after the last
cue, as in direct style.
"""

from dataclasses import dataclass

from models.quotes import find_quote
from models.verdicts import Verdict

QUOTE_CUE = "\nQuote:"
ANSWER_CUE = "\nAnswer:"
NO_QUOTE = "none"
MOST_TOKENS = 160
"""The length cap of reason and quote together, in tokens: an answer that reaches it is unparsable."""
MOST_EXPLAINING_TOKENS = 96
"""The length cap of a rationale for a verdict that stands already, in tokens: it is cut there, and shows it."""

MOST_QUOTED = 200
"""How many characters of the response are quoted at most; the grammar ends a longer quote there."""

# GBNF, llama.cpp's own notation. A reason is one or two sentences on one line: a full stop ends a sentence where a
# space or the line's end follows it.
_SENTENCES = r"""
sentence ::= ([^.!?\x00-\x1f] | [.!?] [^ "'.!?\x00-\x1f])+ [.!?]
sentences ::= sentence (" " sentence)?
"""
GRAMMAR = (
    r'root ::= " " sentences "\nQuote: " (' + f'"{NO_QUOTE}"' + r' | "\"" quoted "\"") "\nAnswer:"'
    f'\nquoted ::= [^"\\x00-\\x1f]{{1,{MOST_QUOTED}}}{_SENTENCES}'
)
EXPLAINING_GRAMMAR = r'root ::= " " sentences "\n"' + _SENTENCES

UNSUPPORTED = "The judge quotes words that are not in the response: its evidence is unsupported."
QUOTED_VERDICTS = frozenset({Verdict.MEETS, Verdict.PARTIALLY_MEETS, Verdict.CONTRADICTS})


@dataclass(frozen=True, slots=True)
class Reasoned:
    """What the judge wrote: its reason, and the words it quotes of the response (None: it quotes none)."""

    reason: str
    quote: str | None


def read_reasoned(text: str) -> Reasoned | None:
    """From what follows "Reason:" up to and with the last cue; None if it is not of the grammar's form."""
    body, cue, rest = text.rpartition(ANSWER_CUE)
    reason, quote_cue, quote = body.partition(QUOTE_CUE)
    if not cue or rest or not quote_cue or not reason.strip():
        return None
    quote = quote.strip()
    return Reasoned(reason.strip(), None if quote == NO_QUOTE else quote.removeprefix('"').removesuffix('"'))


def evidence_for(verdict: Verdict, quote: str | None, response: str) -> tuple[str | None, str | None]:
    """(the response's own words that the quote points at, a note). A quote that is not there is no evidence."""
    if verdict not in QUOTED_VERDICTS:
        return None, None
    span = find_quote(quote, response) if quote else None
    if span is None:
        return None, UNSUPPORTED if quote else "The judge quotes nothing of the response for this verdict: unsupported."
    return response[span[0] : span[1]], None
