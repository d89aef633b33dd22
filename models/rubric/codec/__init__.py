"""Rubric files: YAML or JSON in and out, naming field and line of whatever is wrong."""

from models.rubric.codec.lines import lines_of
from models.rubric.codec.read import load_question, load_source, parse_question, question_of
from models.rubric.codec.source import RubricFileError, Source, parse
from models.rubric.codec.write import dump_json, dump_yaml, to_plain

__all__ = [
    "RubricFileError",
    "Source",
    "dump_json",
    "dump_yaml",
    "lines_of",
    "load_question",
    "load_source",
    "parse",
    "parse_question",
    "question_of",
    "to_plain",
]
