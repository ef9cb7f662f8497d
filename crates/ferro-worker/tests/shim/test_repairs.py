"""The replacements for RustPython, compared with what a right interpreter has."""

import csv
import io
import sys
import unittest
import xml.etree.ElementTree as tree

from ferro_shim import repair_csv, repair_expat

RIGHT = sys.implementation.name == "cpython"


@unittest.skipUnless(RIGHT, "needs an interpreter whose csv is right")
class Csv(unittest.TestCase):
    def both(self, work):
        def told(module):
            try:
                return work(module)
            except Exception as error:
                return type(error).__name__

        self.assertEqual(told(repair_csv), told(csv))

    def test_reading(self):
        texts = (
            "a,b\n1,2\n", 'a,"b, c"\n', 'a, "b, c"\n', 'a,"b""c"\r\n', 'a,"multi\nline",z\nnext,row\n', "", "\n\n", "a,\n\nb\n", 'x"y,z\n',
            '"a"b,c\n', "a\\,b\n", "'a,b',c\n", "a\rb\n", '"open', "1,2.5,\"x\"\n", "  a , b\n", ",,\n", '""\n', 'a;"b;c"\n', "é,ü\n", '"a\r\nb",c\r\n',
        )
        options = ({}, {"skipinitialspace": True}, {"escapechar": "\\"}, {"quotechar": "'"}, {"delimiter": ";"}, {"doublequote": False},
                   {"quoting": 3}, {"quoting": 2}, {"strict": True}, {"doublequote": False, "escapechar": "\\"})
        for text in texts:
            for given in options:
                with self.subTest(text=text, given=given):
                    self.both(lambda m: list(m.reader(io.StringIO(text, newline=""), **given)))
                    self.both(lambda m: list(m.reader(text.splitlines(True), **given)))

    def test_writing(self):
        rows = (["a", "b,c"], ["q\"x", "y"], [None, 1.5, True, 2], ["x\ny"], [""], [], ["a;b", "c"], ["it's", "\\"], ["", ""], [" a "])
        options = ({}, {"quoting": 0}, {"quoting": 1}, {"quoting": 2}, {"quoting": 3}, {"quoting": 3, "escapechar": "\\"}, {"delimiter": ";"},
                   {"lineterminator": "\n"}, {"doublequote": False, "escapechar": "\\"}, {"quotechar": "'"}, {"doublequote": False})
        for row in rows:
            for given in options:
                with self.subTest(row=row, given=given):

                    def work(module):
                        out = io.StringIO()
                        module.writer(out, **given).writerow(row)
                        return out.getvalue()

                    self.both(work)

    def test_bad_dialects(self):
        for given in ({"delimiter": ""}, {"delimiter": "ab"}, {"quoting": 99}, {"nope": 1}, {"quotechar": 5}, {"delimiter": None}):
            with self.subTest(given=given):
                self.both(lambda m: m.reader([], **given))


XML = (
    "<r/>", "<r a='1'>t<i>x</i>tail</r>", "<r><i id='1'>a</i><i id=\"2\">b &amp; c &#233;</i></r>", "<?xml version='1.0'?>\n<!-- c -->\n<r><![CDATA[<x>]]></r>\n",
    "<r xmlns='u' xmlns:q='v'><q:a q:b='1' c='2'/></r>", "<a><b></a>", "<a>", "", "   ", "<a/><b/>", "text", "<a>&nope;</a>", "<a>&</a>", "<a x='1' x='2'/>",
    "<q:a/>", "<!DOCTYPE r [<!ELEMENT r ANY>]><r>x</r>", "<a b=1/>", "<a><!-- open</a>", "<a>\r\nx\ry</a>", "<r><?pi data?>z</r>", "<a b='x&lt;y\n'/>", "<1a/>",
)


def told(parse, text):
    try:
        root = parse(text)
    except tree.ParseError as error:
        return ("error", error.code, error.position)
    return [(e.tag, e.attrib, e.text, e.tail) for e in root.iter()]


class Xml(unittest.TestCase):
    def ours(self, text):
        builder = tree.TreeBuilder()
        parser = repair_expat.ParserCreate(None, "}")
        fix = lambda name: "{" + name if "}" in name else name  # noqa: E731
        parser.ordered_attributes = True
        parser.StartElementHandler = lambda tag, a: builder.start(fix(tag), {fix(a[i]): a[i + 1] for i in range(0, len(a), 2)})
        parser.EndElementHandler = lambda tag: builder.end(fix(tag))
        parser.CharacterDataHandler = builder.data
        try:
            parser.Parse(text, True)
        except repair_expat.error as error:
            made = tree.ParseError(str(error))
            made.code, made.position = error.code, (error.lineno, error.offset)
            raise made from None
        return builder.close()

    @unittest.skipUnless(RIGHT, "needs an interpreter whose expat is right")
    def test_like_the_real_one(self):
        for text in XML:
            with self.subTest(text=text):
                ours, theirs = told(self.ours, text), told(tree.fromstring, text)
                if theirs[0] == "error":
                    self.assertEqual(ours[:2], theirs[:2])
                else:
                    self.assertEqual(ours, theirs)

    def test_element_trees(self):
        root = tree.fromstring("<rss><channel><item n='1'><title>A &amp; B</title></item><item n='2'/></channel></rss>")
        self.assertEqual([i.get("n") for i in root.findall("./channel/item")], ["1", "2"])
        self.assertEqual(root.findtext("channel/item/title"), "A & B")
        with self.assertRaises(tree.ParseError):
            tree.fromstring("<a><b></a>")
        self.assertEqual(tree.tostring(tree.fromstring(b"<?xml version='1.0' encoding='latin-1'?><a>\xe9</a>"), encoding="unicode"), "<a>é</a>")

    def test_minidom(self):
        from xml.dom import minidom

        made = minidom.parseString("<r><i id='1'>a</i></r>")
        self.assertEqual(made.getElementsByTagName("i")[0].getAttribute("id"), "1")
