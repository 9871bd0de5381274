"""A program that rates captions by the share of the candidate's letters that are in the first reference."""

import argparse
import json
import sys


def main() -> None:
    """Answer each line of the input with a line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--floor", type=float, default=0.0)
    floor = parser.parse_args().floor
    for line in sys.stdin:
        question = json.loads(line)
        letters = [letter for letter in question["candidate"].lower() if letter.isalpha()]
        known = set(question["references"][0].lower())
        score = sum(letter in known for letter in letters) / len(letters) if letters else None
        if score is not None:
            score = max(score, floor)
        sys.stdout.write(json.dumps({"id": question["id"], "score": score}) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
