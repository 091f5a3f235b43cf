"""Mail: parts in quoted-printable and base64, and headers. Python's email makes the messages, and reads them."""

import email
import email.policy
import html
import random
import re
from email.message import EmailMessage

import html5lib

from .cases import Case, Link, Place

ANGLES = re.compile(r"<([\w+.-]+://[^<>]*)>")


class Mail(Place):
    """Messages of ten URLs each. The command decodes parts, so only headers have places in the document."""

    reader = "email"
    options = "--from", "mail", "--grammar", "uri"
    has_places = may_end_open = False
    batch = 1
    # The name of the header or of the transfer encoding, and the type of the part.
    encoding = None
    subtype = "plain"
    charset = "utf-8"
    parts_of_mail = 1

    def can_hold(self, url):
        return not re.search(r"[<>]", url)

    def cases(self, urls, seed):
        choose = random.Random(f"{seed} {self.name}")
        held = [url for url in urls if self.can_hold(url)]
        for start in range(0, len(held), 10):
            some = held[start : start + 10]
            text = self.message(some, choose).as_bytes(
                policy=email.policy.SMTP if choose.random() < 0.3 else email.policy.default
            )
            # Messages are in ASCII, save those of 8bit.
            case = Case("", text.decode(), [(0, Link(url, url)) for url in some])
            if self.agrees(case):
                yield case

    def message(self, urls, choose):
        message = EmailMessage(policy=email.policy.default)
        message["From"] = "Ä <a@e.example>"
        message["To"] = "b@e.example"
        message["Subject"] = "Links " + "x" * choose.randint(0, 80)
        if self.subtype == "html":
            text = "<!doctype html>\n" + "".join(
                f'<p>é <a class="x" href="{html.escape(url)}">{"text " * choose.randint(1, 20)}</a>\n'
                for url in urls
            )
        else:
            text = "".join(
                f"{'See é' if choose.random() < 0.5 else 'a = b ' * choose.randint(1, 20)} <{url}>.\n"
                for url in urls
            )
        message.set_content(text, subtype=self.subtype, cte=self.encoding, charset=self.charset)
        if self.parts_of_mail > 1:
            message.add_alternative("<p>none", subtype="html", cte="quoted-printable")
            message.add_attachment(b"\x00\xff <http://no.example/>", maintype="image", subtype="png")
        return message

    def read(self, text):
        message, found = email.message_from_bytes(text.encode(), policy=email.policy.default), []
        for part in message.walk():
            if part.get_content_type() == "text/plain":
                found += ANGLES.findall(part.get_content())
            elif part.get_content_type() == "text/html":
                page = html5lib.parse(part.get_content(), namespaceHTMLElements=False)
                found += [element.get("href") for element in page.iter("a")]
        return found

    def rows(self, case, first_line):
        return sorted(super().rows(case, first_line), key=lambda row: row.uri)


class Latin(Mail):
    charset = "iso-8859-1"

    def can_hold(self, url):
        return super().can_hold(url) and all(char < "\x7f" or "\xa0" <= char <= "\xff" for char in url)


class Header(Mail):
    """A header with a list of URIs, which is folded."""

    def can_hold(self, url):
        return not re.search(r"[^!-~]|[<>]", url)

    def message(self, urls, choose):
        message = EmailMessage()
        message["From"] = "a@e.example"
        # As writers fold it: after the commas.
        message["X-Fold"] = "x"
        message.set_content("no links\n")
        return Folded(message, ",\n ".join(f"<{url}>" for url in urls))

    def read(self, text):
        message = email.message_from_bytes(text.encode(), policy=email.policy.compat32)
        return ANGLES.findall(message["List-Unsubscribe"])


class Folded:
    """A message with a header of our own folding."""

    def __init__(self, message, value):
        self.message, self.value = message, value

    def as_bytes(self, policy):
        data = self.message.as_bytes(policy=policy)
        end = policy.linesep.encode()
        value = self.value.replace("\n", policy.linesep).encode()
        return data.replace(b"X-Fold: x" + end, b"List-Unsubscribe: " + value + end)


class Mailbox(Mail):
    """Messages in a mailbox, each after a line of its own."""

    def message(self, urls, choose):
        return Boxed(
            [super(Mailbox, self).message(urls[:5], choose), super(Mailbox, self).message(urls[5:], choose)]
        )

    def read(self, text):
        parts = re.split(r"(?m)^From \S+ .*\r?\n", text)[1:]
        return [url for part in parts for url in super(Mailbox, self).read(part)]


class Boxed:
    def __init__(self, messages):
        self.messages = messages

    def as_bytes(self, policy):
        return b"".join(
            b"From a@e.example Thu Jan  1 00:00:00 2026\n"
            + message.as_bytes(policy=email.policy.default)
            + b"\n"
            for message in self.messages
        )


CONTAINERS = [
    Mail("mail, quoted-printable", encoding="quoted-printable"),
    Mail("mail, base64", encoding="base64"),
    Mail("mail, 8bit", encoding="8bit"),
    Mail("mail, HTML in quoted-printable", encoding="quoted-printable", subtype="html"),
    Mail("mail, HTML in base64", encoding="base64", subtype="html"),
    Latin("mail, latin-1", encoding="quoted-printable"),
    Mail("mail of several parts", encoding="quoted-printable", parts_of_mail=3),
    Header("header of mail"),
    Mailbox("mailbox", encoding="quoted-printable"),
]
