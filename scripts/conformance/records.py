"""Splits files into records in the same way as the command."""
BOM = b"\xef\xbb\xbf"


def split(data):
    """The records of a file. A record ends at LF. A CR before the LF, and a byte order mark, are not part of
    a record."""
    if data.startswith(BOM):
        data = data[len(BOM):]
    ended = data.split(b"\n")
    last = ended.pop()
    records = [record[:-1] if record.endswith(b"\r") else record for record in ended]
    if last:
        records.append(last)
    return records


def first_column(data):
    """The column where the first record starts."""
    return 1 + len(BOM) * data.startswith(BOM)


def join(records):
    """A file of these records. All lines end with CRLF, so that a CR at the end of a record is kept."""
    assert not any(b"\n" in record for record in records), "a record cannot hold LF"
    assert not (records and records[0].startswith(BOM)), "the command would take it for a byte order mark"
    return b"".join(record + b"\r\n" for record in records)


def is_utf8(record):
    try:
        record.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
