"""The inside of XML parsing in Python: tells elements, texts and errors as `xml.*` expect them.

A document is read when it is complete. Entities of a DTD are not expanded, so no document grows while it is read.
"""

import re
from types import ModuleType

EXPAT_VERSION = "expat_2.6.0"
version_info = (2, 6, 0)
native_encoding = "UTF-8"
features = [("sizeof(XML_Char)", 1), ("sizeof(XML_LChar)", 1)]
XML_PARAM_ENTITY_PARSING_NEVER, XML_PARAM_ENTITY_PARSING_UNLESS_STANDALONE, XML_PARAM_ENTITY_PARSING_ALWAYS = range(3)

_TEXTS = {
    2: "syntax error", 3: "no element found", 4: "not well-formed (invalid token)", 5: "unclosed token", 7: "mismatched tag", 8: "duplicate attribute",
    9: "junk after document element", 11: "undefined entity", 18: "unknown encoding", 27: "unbound prefix", 36: "parsing finished",
}
_NAMES = {
    "XML_ERROR_SYNTAX": 2, "XML_ERROR_NO_ELEMENTS": 3, "XML_ERROR_INVALID_TOKEN": 4, "XML_ERROR_UNCLOSED_TOKEN": 5, "XML_ERROR_TAG_MISMATCH": 7,
    "XML_ERROR_DUPLICATE_ATTRIBUTE": 8, "XML_ERROR_JUNK_AFTER_DOC_ELEMENT": 9, "XML_ERROR_UNDEFINED_ENTITY": 11,
    "XML_ERROR_UNKNOWN_ENCODING": 18, "XML_ERROR_UNBOUND_PREFIX": 27, "XML_ERROR_FINISHED": 36,
}
_BUILT_IN = {"lt": "<", "gt": ">", "amp": "&", "quot": '"', "apos": "'"}

errors = ModuleType("pyexpat.errors")
errors.messages = dict(_TEXTS)
errors.codes = {text: code for code, text in _TEXTS.items()}
for _name, _code in _NAMES.items():
    setattr(errors, _name, _TEXTS[_code])
model = ModuleType("pyexpat.model")
for _code, _name in enumerate(("XML_CTYPE_EMPTY", "XML_CTYPE_ANY", "XML_CTYPE_MIXED", "XML_CTYPE_NAME", "XML_CTYPE_CHOICE", "XML_CTYPE_SEQ")):
    setattr(model, _name, _code + 1)

_TAG = re.compile(r"""<([^\s<>/=!?'"]+)((?:\s+[^\s<>/='"]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(/?)>""")
_END = re.compile(r"</([^\s<>/]+)\s*>")
_ATTR = re.compile(r"""([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_ENTITY = re.compile(r"&(#x[0-9a-fA-F]+|#[0-9]+|[A-Za-z_:][\w:.-]*)?;?")
_NAME = re.compile(r"[A-Za-z_:\u0080-\U0010ffff][\w:.\-\u0080-\U0010ffff]*\Z")


class ExpatError(Exception):
    __module__ = "xml.parsers.expat"


error = ExpatError


def ErrorString(code):  # noqa: N802 - the name callers use
    return _TEXTS.get(code)


def ParserCreate(encoding=None, namespace_separator=None, intern=None):  # noqa: N802 - the name callers use
    return XMLParserType(encoding, namespace_separator, intern)


class XMLParserType:
    """Handlers are attributes; those that are not set are not called."""

    buffer_text = ordered_attributes = specified_attributes = namespace_prefixes = False
    buffer_size = 8192
    buffer_used = 0
    ErrorCode = 0

    def __init__(self, encoding, separator, intern):
        self._encoding = encoding
        self._separator = separator
        self.intern = intern if intern is not None else {}
        self._parts = []
        self._text = ""
        self._at = 0
        self._done = False
        self._base = None

    def __getattr__(self, name):
        if name.endswith(("Handler", "HandlerExpand")):
            return None
        raise AttributeError(name)

    def Parse(self, data, isfinal=False):  # noqa: N802 - the name callers use
        if self._done:
            self._fail(36)
        if data:
            self._parts.append(data)
        if isfinal:
            self._text = self._decoded()
            self._run()
            self._done = True
        return 1

    def ParseFile(self, file):  # noqa: N802 - the name callers use
        return self.Parse(file.read(), True)

    def _decoded(self):
        if not self._parts or isinstance(self._parts[0], str):
            text = "".join(self._parts)
        else:
            raw = b"".join(bytes(p) for p in self._parts)
            declared = re.match(rb"""<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z0-9._-]+)""", raw)
            name = self._encoding or ("utf-16" if raw[:2] in (b"\xff\xfe", b"\xfe\xff") else declared.group(1).decode() if declared else "utf-8")
            try:
                text = raw.decode("utf-8-sig" if name.lower() in ("utf-8", "utf8") else name)
            except LookupError:
                self._fail(18)
            except UnicodeDecodeError:
                self._fail(4)
        return text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n")

    # --- where it is

    def _place(self):
        before = self._text[: self._at]
        return before.count("\n") + 1, self._at - (before.rfind("\n") + 1)

    CurrentLineNumber = ErrorLineNumber = property(lambda self: self._place()[0])
    CurrentColumnNumber = ErrorColumnNumber = property(lambda self: self._place()[1])
    CurrentByteIndex = ErrorByteIndex = property(lambda self: len(self._text[: self._at].encode()))

    def _fail(self, code, at=None):
        if at is not None:
            self._at = at
        line, column = self._place()
        made = ExpatError(f"{_TEXTS[code]}: line {line}, column {column}")
        made.code, made.lineno, made.offset = code, line, column
        raise made

    # --- reading

    def _run(self):
        text, size = self._text, len(self._text)
        self._open, self._spaces, root_seen = [], [{"xml": "http://www.w3.org/XML/1998/namespace"}], False
        at = 0
        while at < size:
            self._at = at
            if text[at] != "<":
                stop = text.find("<", at)
                stop = size if stop < 0 else stop
                if self._open:
                    self._chars(text[at:stop], at)
                elif text[at:stop].strip():
                    self._fail(9 if root_seen else 2)
                at = stop
            elif text.startswith("<!--", at):
                at = self._until("-->", at, 4, self.CommentHandler)
            elif text.startswith("<![CDATA[", at) and self._open:
                at = self._cdata(at)
            elif text.startswith("<?", at):
                at = self._instruction(at)
            elif text.startswith("<!DOCTYPE", at) and not root_seen:
                at = self._doctype(at)
            elif text.startswith("</", at):
                at = self._end(at)
            else:
                if root_seen and not self._open:
                    self._fail(9)
                at, root_seen = self._start(at), True
        self._at = size
        if self._open or not root_seen:
            self._fail(3)

    def _until(self, mark, at, skip, handler):
        stop = self._text.find(mark, at + skip)
        if stop < 0:
            self._fail(5)
        if handler is not None:
            handler(self._text[at + skip : stop])
        return stop + len(mark)

    def _cdata(self, at):
        if self.StartCdataSectionHandler is not None:
            self.StartCdataSectionHandler()
        after = self._until("]]>", at, 9, self.CharacterDataHandler)
        if self.EndCdataSectionHandler is not None:
            self.EndCdataSectionHandler()
        return after

    def _instruction(self, at):
        stop = self._text.find("?>", at)
        if stop < 0:
            self._fail(5)
        target, _, data = self._text[at + 2 : stop].partition(" ")
        if target == "xml":
            if self.XmlDeclHandler is not None:
                known = {k: a or b for k, a, b in _ATTR.findall(data)}
                self.XmlDeclHandler(known.get("version", "1.0"), known.get("encoding"), {"yes": 1, "no": 0}.get(known.get("standalone"), -1))
        elif self.ProcessingInstructionHandler is not None:
            self.ProcessingInstructionHandler(target, data.strip())
        return stop + 2

    def _doctype(self, at):
        text, depth, i = self._text, 0, at
        while i < len(text):
            if text[i] == "[":
                depth += 1
            elif text[i] == "]":
                depth -= 1
            elif text[i] == ">" and depth <= 0:
                break
            i += 1
        else:
            self._fail(5)
        words = text[at + 9 : i].split()
        if self.StartDoctypeDeclHandler is not None and words:
            self.StartDoctypeDeclHandler(words[0].partition("[")[0], None, None, "[" in text[at:i])
            if self.EndDoctypeDeclHandler is not None:
                self.EndDoctypeDeclHandler()
        return i + 1

    def _resolved(self, text, at):
        if "&" not in text:
            return text

        def put(match):
            name = match.group(1)
            if name is None or match.group(0)[-1] != ";":
                self._fail(4, at)
            if name[0] == "#":
                number = int(name[2:], 16) if name[1] == "x" else int(name[1:])
                if not 0 < number < 0x110000:
                    self._fail(4, at)
                return chr(number)
            if name not in _BUILT_IN:
                self._fail(11, at)
            return _BUILT_IN[name]

        return _ENTITY.sub(put, text)

    def _chars(self, text, at):
        if "]]>" in text:
            self._fail(4)
        made = self._resolved(text, at)
        if self.CharacterDataHandler is not None:
            self.CharacterDataHandler(made)
        elif self.DefaultHandlerExpand is not None:
            self.DefaultHandlerExpand(made)

    def _qualified(self, name, spaces, attribute=False):
        if self._separator is None:
            return name
        prefix, colon, local = name.partition(":")
        if not colon:
            uri = "" if attribute else spaces.get("", "")
            return uri + self._separator + name if uri else name
        if prefix not in spaces:
            self._fail(27)
        return spaces[prefix] + self._separator + local

    def _start(self, at):
        match = _TAG.match(self._text, at)
        if match is None or not _NAME.match(match.group(1)):
            self._fail(4)
        pairs, spaces, declared = [], self._spaces[-1], []
        for name, a, b in _ATTR.findall(match.group(2)):
            value = self._resolved(a or b, at).replace("\n", " ").replace("\t", " ")
            if any(name == known for known, _ in pairs):
                self._fail(8)
            if self._separator is not None and (name == "xmlns" or name.startswith("xmlns:")):
                prefix = name[6:]
                spaces = {**spaces, prefix: value}
                declared.append(prefix)
                if self.StartNamespaceDeclHandler is not None:
                    self.StartNamespaceDeclHandler(prefix or None, value)
            else:
                pairs.append((name, value))
        tag = self._qualified(match.group(1), spaces)
        pairs = [(self._qualified(n, spaces, True), v) for n, v in pairs]
        if self.StartElementHandler is not None:
            self.StartElementHandler(tag, [x for pair in pairs for x in pair] if self.ordered_attributes else dict(pairs))
        self._open.append((match.group(1), tag, declared))
        self._spaces.append(spaces)
        if match.group(3):
            self._close()
        return match.end()

    def _end(self, at):
        match = _END.match(self._text, at)
        if match is None:
            self._fail(4)
        if not self._open or self._open[-1][0] != match.group(1):
            self._fail(7, at + 2)
        self._close()
        return match.end()

    def _close(self):
        _, tag, declared = self._open.pop()
        self._spaces.pop()
        if self.EndElementHandler is not None:
            self.EndElementHandler(tag)
        if self.EndNamespaceDeclHandler is not None:
            for prefix in reversed(declared):
                self.EndNamespaceDeclHandler(prefix or None)

    # --- what readers of external entities would need

    def SetBase(self, base):  # noqa: N802 - the name callers use
        self._base = base

    def GetBase(self):  # noqa: N802 - the name callers use
        return self._base

    def GetInputContext(self):  # noqa: N802 - the name callers use
        return None

    def SetParamEntityParsing(self, _flag):  # noqa: N802 - the name callers use
        return 1

    def UseForeignDTD(self, _flag=True):  # noqa: N802 - the name callers use
        pass

    def ExternalEntityParserCreate(self, *_args):  # noqa: N802 - the name callers use
        raise ExpatError("external entities are not read")
