"""Arguments that several verbs have."""

import argparse

from .objects import parse_day


def add_parser(verbs, name, summary):
    """Adds and returns the parser of a verb that reads a fleet's folder or bucket."""
    parser = verbs.add_parser(name, help=summary, description=f"{summary[0].upper()}{summary[1:]}.")
    parser.add_argument("root", metavar="ROOT", help="the fleet's folder, or s3://BUCKET/PREFIX")
    parser.add_argument("--endpoint", metavar="URL",
                        help="the S3 server, if it is not Amazon's (default: $AWS_ENDPOINT_URL)")
    return parser


def add_span(parser):
    parser.add_argument("--since", type=day, metavar="DAY", help="only days from this one on: YYYY-MM-DD")
    parser.add_argument("--until", type=day, metavar="DAY", help="only days up to this one")


def day(text):
    if not parse_day(text):
        raise argparse.ArgumentTypeError("a day is written YYYY-MM-DD")
    return text
