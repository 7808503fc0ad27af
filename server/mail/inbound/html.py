"""HTML to lines of text: quotations get ``> `` in front, what a program appends is marked.

The marks are control characters, which :func:`server.mail.inbound.mime.visible` takes out of all texts before: no mail
can forge them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import islice

from selectolax.lexbor import LexborHTMLParser, LexborNode

from server.mail.inbound.mime import visible

END_MARK = "\x02"
"""A line of its own: from here on all is quoted."""
SIGNATURE_MARK = "\x03"
"""In front of a line of a signature."""
STRUCK, STRUCK_END = "\x04", "\x05"
"""Around what is struck out."""
MAX_LETTERS, MAX_TAGS = 500_000, 15_000
"""Of an HTML body; what is beyond is not read."""
MAX_DEPTH = 30
"""The most quotations with marks of their own."""

_SKIPPED = frozenset(
    {"head", "script", "style", "title", "template", "noscript", "object", "svg", "select", "textarea", "iframe"}
)
_BLOCKS = frozenset(
    {
        "address",
        "article",
        "aside",
        "blockquote",
        "body",
        "center",
        "dd",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figure",
        "footer",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "hr",
        "html",
        "li",
        "main",
        "nav",
        "ol",
        "p",
        "pre",
        "section",
        "table",
        "tbody",
        "tfoot",
        "thead",
        "tr",
        "ul",
    }
)
_SPACED = frozenset({"p", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "ul", "ol", "dl", "table", "blockquote"})
_END_IDS = re.compile(
    r"(?:x_)*(?:divRplyFwdMsg|appendonsend|stopSpelling|mail-editor-reference-message-container|OLK_SRC_BODY_SECTION|"
    r"isForwardContent|isReplyContent|origbody|reply-intro-end)"
)
_END_CLASSES = re.compile(
    r"(?:x_)*(?:ms-outlook-mobile-reference-message|(?:ydp\w{1,20}?)?yahoo_quoted|yahoo-quoted-begin|zmail_extra|"
    r"OutlookMessageHeader|moz-forward-container)"
)
_END_NAMES = frozenset({"messageReplySection"})
_HEADER_STYLE = re.compile(r"border:\s*none;\s*border-top:\s*solid #(?:E1E1E1|B5C4DF) 1", re.IGNORECASE)
"""Of the box in which Outlook writes whose mail is quoted."""
_SIGNATURE_IDS = re.compile(
    r"(?:x_)*(?:AppleMailSignature|Signature|ms-outlook-mobile-signature|ymail_android_signature|"
    r"signature_old|composer_signature|mobile_signature|sony_xperia_signature|mail-app-auto-default-signature|"
    r"Zm-_Id_-Sgn|bloop_sign_\d{1,30})"
)
_SIGNATURE_CLASSES = frozenset(
    {
        "gmail_signature",
        "gmail_signature_prefix",
        "moz-signature",
        "protonmail_signature_block",
        "tutanota_signature",
        "yahoo-signature",
        "signature_block",
        "zimbra_signature",
        "bloop_sign",
        "front-signature",
        "sh-signature",
        "k9mail-signature",
    }
)
_SIGNATURE_NAMES = frozenset({"messageSignatureSection", "__SIG_PRE__", "__SIG_POST__"})
_QUOTE_STYLE = re.compile(
    r"border-left(?:-width)?\s*+:\s*+(?!none|0(?!\.\d)|medium none)[^;]{0,200}?(?:solid|px|pt)", re.IGNORECASE
)
_INDENTED = re.compile(
    r"\A(?=.*?margin[^;]{0,100}\b40px)(?=.*?border\s*+:\s*(?:none|0|medium none))", re.IGNORECASE | re.DOTALL
)
"""How Gmail indents what someone writes."""
_STRUCK = re.compile(r"text-decoration(?:-line)?\s*:[^;]*line-through", re.IGNORECASE)
_STRIKES = re.compile(r"<(?:s|strike|del)\b|line-through", re.IGNORECASE)
_STRUCK_OUT = re.compile(f"{STRUCK}([^{STRUCK_END}]*+){STRUCK_END}?")
_HIDDEN = re.compile(r"display\s*:\s*none|mso-hide\s*:\s*all|visibility\s*:\s*hidden", re.IGNORECASE)


def lines_of(html: str) -> list[str]:
    """Return the lines of an HTML body."""
    tree = LexborHTMLParser(_bounded(html))
    if tree.root is None:
        return []
    writer = _Writer()
    top = tree.body or tree.root
    node: LexborNode | None = top
    while node is not None:
        inside = writer.enter(node)
        below = node.child if inside else None
        if below is not None:
            node = below
            continue
        while node is not None:
            if inside:
                writer.leave(node)
            if node.mem_id == top.mem_id:
                return writer.finished()
            if node.next is not None:
                node = node.next
                break
            node, inside = node.parent, True
    return writer.finished()


def strikes(html: str) -> bool:
    """Say whether an HTML body may strike something out, which plain text beside it does not show."""
    return _STRIKES.search(html[:MAX_LETTERS]) is not None


def without_struck(text: str) -> tuple[str, tuple[str, ...]]:
    """Return a text without what is struck out, and that, by lines; lines of which nothing is left are gone."""
    kept, struck = [], []
    for line in text.split("\n"):
        parts = _STRUCK_OUT.split(line)
        gone = " ".join("".join(parts[1::2]).split())
        left = "".join(parts[::2])
        if gone:
            struck.append(gone)
        if not gone or re.search(r"[^\W\d_]", left):
            kept.append(left)
    return "\n".join(kept).strip("\n"), tuple(struck)


def unmarked(text: str) -> str:
    """Return a text with its struck-out words, but without their marks."""
    return text.replace(STRUCK, "").replace(STRUCK_END, "")


def _bounded(html: str) -> str:
    """Return as much as is read: own words stand first, and parsers take long for deep trees."""
    html = html[:MAX_LETTERS]
    beyond = next(islice(re.finditer(r"<[a-zA-Z]", html), MAX_TAGS, None), None)
    return html if beyond is None else html[: beyond.start()]


@dataclass(slots=True)
class _Writer:
    """The lines so far."""

    lines: list[str] = field(default_factory=list)
    line: str = ""
    quotes: int = 0
    signatures: int = 0
    preformatted: int = 0
    struck: int = 0
    lists: list[int] = field(default_factory=list)
    bullet: str = ""
    """Of an item of which no word is written yet."""

    def enter(self, node: LexborNode) -> bool:
        """Write what a node begins with; returns whether its inside counts."""
        tag = node.tag or ""
        if tag == "-text":
            self._text(node.text_content or "")
            return False
        if tag.startswith("-") or tag in _SKIPPED or _is_hidden(node):
            return False
        if tag in _BLOCKS:
            self._break(spaced=_is_spaced(node, tag))
        if _ends(node, tag):
            self._break(spaced=False)
            self.lines.append(END_MARK)
        self.quotes += _quotes(node, tag)
        self.signatures += _signs(node)
        self.preformatted += tag == "pre"
        self.struck += _strikes(node, tag)
        match tag:
            case "br":
                self._flush()
            case "hr":
                self.lines.append(self._prefix() + "_" * 32)
            case "ol":
                self.lists.append(1)
            case "ul":
                self.lists.append(0)
            case "li":
                self.bullet = self._bullet()
            case "td" | "th" if self.line.strip():
                self.line += " "
        return True

    def leave(self, node: LexborNode) -> None:
        """Write what a node ends with."""
        tag = node.tag or ""
        if tag in _BLOCKS:
            self._break(spaced=_is_spaced(node, tag))
        self.quotes -= _quotes(node, tag)
        self.signatures -= _signs(node)
        self.preformatted -= tag == "pre"
        self.struck -= _strikes(node, tag)
        if tag == "li":
            self.bullet = ""
        if tag in ("ol", "ul") and self.lists:
            self.lists.pop()

    def finished(self) -> list[str]:
        """Return all lines."""
        self._break(spaced=False)
        return self.lines

    def _text(self, text: str) -> None:
        text = visible(text)
        if self.bullet and text.strip():
            self.line, self.bullet = self.bullet, ""
        if self.preformatted:
            first, *more = text.split("\n")
            self.line += self._marked(first)
            for line in more:
                self._flush()
                self.line = self._marked(line)
            return
        text = re.sub(r"[ \t\n]+", " ", text)
        self.line += self._marked(text.lstrip(" ") if not self.line or self.line.endswith(" ") else text)

    def _marked(self, text: str) -> str:
        return f"{STRUCK}{text}{STRUCK_END}" if self.struck and text.strip() else text

    def _flush(self) -> None:
        """End the line, though it may be empty."""
        self.lines.append((self._prefix() + self.line).rstrip())
        self.line = ""

    def _break(self, *, spaced: bool) -> None:
        """End the line unless it is empty; *spaced*: have an empty one below."""
        if self.line.strip():
            self._flush()
        self.line = ""
        if spaced and self.lines and self.lines[-1].strip("> " + SIGNATURE_MARK):
            self.lines.append(self._prefix().rstrip())

    def _prefix(self) -> str:
        return SIGNATURE_MARK * (self.signatures > 0) + "> " * min(self.quotes, MAX_DEPTH)

    def _bullet(self) -> str:
        if self.lists and self.lists[-1]:
            self.lists[-1] += 1
            return f"{self.lists[-1] - 1}. "
        return "- "


def _attribute(node: LexborNode, name: str) -> str:
    return node.attributes.get(name) or ""


def _is_spaced(node: LexborNode, tag: str) -> bool:
    """Say whether there is a free line above and below; paragraphs of Outlook have none."""
    return tag in _SPACED and not (tag == "p" and "MsoNormal" in _attribute(node, "class"))


def _quotes(node: LexborNode, tag: str) -> int:
    if tag == "blockquote":
        cited = _attribute(node, "type") == "cite" or _attribute(node, "class") or _attribute(node, "cite")
        return int(bool(cited) or not _INDENTED.search(_attribute(node, "style")))
    if tag != "div":
        return 0
    named = _attribute(node, "name") == "quote" or "tutanota_quote" in _attribute(node, "class").split()
    return int(named or bool(_QUOTE_STYLE.search(_attribute(node, "style"))))


def _ends(node: LexborNode, tag: str) -> bool:
    if tag not in ("div", "hr", "span", "table", "section", "a"):
        return False
    if tag == "div" and (_attribute(node, "name") in _END_NAMES or _HEADER_STYLE.search(_attribute(node, "style"))):
        return True
    classes = _attribute(node, "class").split()
    return bool(_END_IDS.fullmatch(_attribute(node, "id"))) or any(_END_CLASSES.fullmatch(name) for name in classes)


def _signs(node: LexborNode) -> int:
    classes = (name.removeprefix("x_") for name in _attribute(node, "class").split())
    named = _attribute(node, "name") in _SIGNATURE_NAMES or _attribute(node, "data-marker") in _SIGNATURE_NAMES
    return int(
        named
        or bool(_SIGNATURE_IDS.fullmatch(_attribute(node, "id")))
        or any(name in _SIGNATURE_CLASSES for name in classes)
    )


def _strikes(node: LexborNode, tag: str) -> int:
    return int(tag in ("s", "strike", "del") or bool(_STRUCK.search(_attribute(node, "style"))))


def _is_hidden(node: LexborNode) -> bool:
    return bool(_HIDDEN.search(_attribute(node, "style")))
