"""Reads what a run wrote."""
import csv
import json
import math
import pathlib


def read_table(path):
    """Rows of a CSV file as dictionaries; numbers where they are numbers."""
    def value(text):
        try:
            return float(text)
        except ValueError:
            return text
    with open(path, newline="", encoding="utf-8") as file:
        return [{name: value(text) for name, text in row.items()} for row in csv.DictReader(file)]


def read_summary(folder):
    """summary.json; what is not JSON proper (NaN, Infinity) is an error."""
    def refuse(word):
        raise ValueError(f"{word} in summary.json")
    return json.loads(pathlib.Path(folder, "summary.json").read_text(encoding="utf-8"), parse_constant=refuse)


def not_finite(rows):
    """(row, column, value) of every number that is not finite."""
    return [(i, name, value) for i, row in enumerate(rows) for name, value in row.items()
            if isinstance(value, float) and not math.isfinite(value)]
