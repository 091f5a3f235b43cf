"""Prints tables in Markdown."""


def print_table(columns, rows, title=None, texts=1):
    """Prints a table, below a heading if it has a title. The first `texts` columns are texts, the others
    figures. A `|` of a cell does not end the cell."""
    if title:
        print(f"\n### {title}\n")
    print("|", " | ".join(columns), "|")
    print("|---" * texts + "|---:" * (len(columns) - texts) + "|")
    for row in rows:
        print("|", " | ".join(cell.replace("|", r"\|") for cell in row), "|")
