"""Runs the subcommands of a script. Each subcommand is a module with `add_arguments(parser)` and
`main(arguments)`.

Only the chosen module is imported, because some need large packages. The help of the others is read from
their files.
"""

import argparse
import ast
import importlib
import sys
from pathlib import Path

SCRIPTS = Path(__file__).parent


def run(description, folder, names):
    """Runs the subcommand that the arguments choose, a module of this folder. Returns its exit status."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    subparsers = parser.add_subparsers(required=True, metavar="SUBCOMMAND")
    for name in names:
        text = ast.get_docstring(ast.parse((SCRIPTS / folder / f"{name}.py").read_text(encoding="utf-8")))
        subparser = subparsers.add_parser(
            name, help=text.splitlines()[0], description=text, formatter_class=argparse.RawDescriptionHelpFormatter
        )
        if sys.argv[1:2] == [name]:
            try:
                module = importlib.import_module(f"{folder}.{name}")
            except ModuleNotFoundError as error:
                parser.exit(2, f"{text}\n\n{subparser.prog}: this Python has no package {error.name}\n")
            module.add_arguments(subparser)
            subparser.set_defaults(main=module.main)
    arguments = parser.parse_args()
    return arguments.main(arguments)
