### a good component
from lfx.custom import Component
from lfx.io import MessageTextInput, Output
from lfx.schema import Message

class Upper(Component):
    display_name = "Upper"
    inputs = [MessageTextInput(name="text", display_name="Text")]
    outputs = [Output(display_name="Result", name="result", method="build_result")]

    def build_result(self) -> Message:
        return Message(text=self.text.upper())
### async and generator outputs
class A(Component):
    outputs = [Output(name="a", method="run"), Output(name="b", method="stream")]
    async def run(self):
        return 1
    def stream(self):
        yield 1
### no class
x = 1  # ! missing-class
### a class that is no component
class Upper:  # ! missing-class
    pass
### a class of an import alias
from lfx.custom import Component as C
class Upper(C):
    outputs = [Output(name="a", method="f")]
    def f(self):
        return 1
### a class of a dotted base
import lfx.custom as custom
class Upper(custom.Component):
    outputs = [Output(name="a", method="f")]
    def f(self):
        return 1
### a class through a local base
class Base(Component):
    def f(self):
        return 1
class Real(Base):
    outputs = [Output(name="a", method="f")]
### method missing in local base too
class Base(Component):
    def f(self):
        return 1
class Real(Base):
    outputs = [Output(name="a", method="g_missing")]  # ! missing-method
### an unknown base may have the method
class Real(LCToolComponent):
    outputs = [Output(name="a", method="build_tool")]
### bases that only contain the word
class A(ComponentWithCache):
    outputs = [Output(name="x", method="inherited")]
class B(LCEmbeddingsModel):
    outputs = [Output(name="x", method="inherited")]
### no outputs
class A(Component):  # ! no-outputs
    inputs = [StrInput(name="a")]
### empty outputs
class A(Component):  # ! no-outputs
    outputs = []
### legacy build
class A(CustomComponent):
    def build(self, text: str) -> str:
        return text
### outputs from elsewhere
class A(Component):
    outputs = make_outputs()
### overlap
class A(Component):
    inputs = [StrInput(name="text")]
    outputs = [Output(name="text", method="f")]  # ! overlapping-name
    def f(self):
        return 1
### overlap through a spread
class Base(Component):
    inputs = [StrInput(name="text")]
class A(Base):
    inputs = [*Base.inputs, IntInput(name="count")]
    outputs = [Output(name="text", method="f")]  # ! overlapping-name
    def f(self):
        return 1
### overlap through a sum
COMMON = [StrInput(name="text")]
class A(Component):
    inputs = COMMON + [IntInput(name="count")]
    outputs = [Output(name="count", method="f")]  # ! overlapping-name
    def f(self):
        return 1
### overlap through an inherited list
class Base(Component):
    inputs = [StrInput(name="text")]
class A(Base):
    outputs = [Output(name="text", method="f")]  # ! overlapping-name
    def f(self):
        return 1
### overlap through a deep copy
import copy
class Base(Component):
    inputs = [StrInput(name="text")]
class A(Component):
    inputs = copy.deepcopy(Base.inputs)
    outputs = [Output(name="text", method="f")]  # ! overlapping-name
    def f(self):
        return 1
### overlap by constant name
NAME = "text"
class A(Component):
    inputs = [StrInput(name=NAME)]
    outputs = [Output(name="text", method="f")]  # ! overlapping-name
    def f(self):
        return 1
### duplicate input
class A(Component):
    inputs = [
        StrInput(name="a"),
        IntInput(name="a"),  # ! duplicate-input
    ]
    outputs = [Output(name="x", method="f")]
    def f(self):
        return 1
### duplicate output
class A(Component):
    outputs = [
        Output(name="x", method="f"),
        Output(name="x", method="f"),  # ! duplicate-output
    ]
    def f(self):
        return 1
### two outputs may share a method
class A(Component):
    outputs = [Output(name="x", method="f"), Output(name="y", method="f")]
    def f(self):
        return 1
### names that are no identifiers
class A(Component):
    inputs = [
        StrInput(name="my text"),  # ! invalid-name
        StrInput(name="1st"),  # ! invalid-name
        StrInput(name=""),  # ! invalid-name
        StrInput(name="class"),  # ! invalid-name
        StrInput(name="größe"),
    ]
    outputs = [Output(name="a-b", method="f")]  # ! invalid-name
    def f(self):
        return 1
### reserved output name
class A(Component):
    outputs = [Output(name="component_as_tool", method="f")]  # ! reserved-output
    def f(self):
        return 1
### reserved method
class A(Component):
    outputs = [Output(name="tools", method="to_toolkit")]  # ! reserved-method
    def to_toolkit(self):
        return 1
### missing method
class A(Component):
    outputs = [Output(name="x", method="build_rsult")]  # ! missing-method
    def build_result(self):
        return 1
### never returns
class A(Component):
    outputs = [Output(name="x", method="f")]
    def f(self):  # ! no-return
        print("x")
### returns without a value
class A(Component):
    outputs = [Output(name="x", method="f")]
    def f(self):  # ! no-return
        if self.a:
            return
        self.b()
### returns in a nested function only
class A(Component):
    outputs = [Output(name="x", method="f")]
    def f(self):  # ! no-return
        def g():
            return 1
        g()
### returns on one path
class A(Component):
    outputs = [Output(name="x", method="f")]
    def f(self):
        if self.a:
            return 1
### abstract by raising
class A(Component):
    outputs = [Output(name="x", method="f")]
    def f(self):
        """Later."""
        raise NotImplementedError
### raises on every path
class A(Component):
    outputs = [Output(name="x", method="f")]
    def f(self):
        if self.a:
            raise ValueError("a")
        else:
            raise TypeError("b")
### returns from try
class A(Component):
    outputs = [Output(name="x", method="f")]
    def f(self):
        try:
            return self.g()
        except Exception:
            raise
### only pass
class A(Component):
    outputs = [Output(name="x", method="f")]
    def f(self): pass  # ! no-return
### inherited method that never returns
class Base(Component):
    def f(self):  # ! no-return
        self.x = 1
class A(Base):
    outputs = [Output(name="x", method="f")]
### a decorated method is left alone
class A(Component):
    outputs = [Output(name="x", method="f")]
    @retry
    def f(self):
        self.x = 1
### a method that is an attribute
class A(Component):
    outputs = [Output(name="x", method="f")]
    f = helper
### output without a name
class A(Component):
    outputs = [Output(method="f")]  # ! output-without-name
    def f(self):
        return 1
### output without a method
class A(Component):
    outputs = [Output(name="x")]  # ! output-without-method
### input without a name
class A(Component):
    inputs = [StrInput(display_name="A")]  # ! input-without-name
    outputs = [Output(name="x", method="f")]
    def f(self):
        return 1
### input with splat
class A(Component):
    inputs = [StrInput(**options)]
    outputs = [Output(name="x", method="f")]
    def f(self):
        return 1
### method that needs arguments
class A(Component):
    outputs = [Output(name="x", method="f")]
    def f(self, text):  # ! method-arguments
        return text
### method with defaults
class A(Component):
    outputs = [Output(name="x", method="f")]
    def f(self, text="a", *args, **kwargs):
        return text
### method without self
class A(Component):
    outputs = [Output(name="x", method="f")]
    def f():  # ! method-arguments
        return 1
### class in a try
try:
    class A(Component):
        outputs = [Output(name="x", method="f")]
        def f(self):
            return 1
except Exception:
    pass
### syntax error
class A(Component)  # ! syntax
    pass
### unclosed bracket
x = (1,  # ! syntax
class A(Component):
    pass
### unclosed string
x = "abc  # ! syntax
### bad indent
class A(Component):
    def f(self):
        return 1
      def g(self):  # ! syntax
        return 2
### return outside function
class A(Component):
    outputs = [Output(name="x", method="f")]
    def f(self):
        return 1
    return 2  # ! compile
### await outside async
class A(Component):
    outputs = [Output(name="x", method="f")]
    def f(self):
        return await self.g()  # ! compile
### await in async is fine
class A(Component):
    outputs = [Output(name="x", method="f")]
    async def f(self):
        return [await x async for x in self.g()]
### duplicate argument
class A(Component):
    outputs = [Output(name="x", method="f")]
    def f(self):
        return 1
    def g(self, a, a):  # ! compile
        return a
### duplicate keyword
x = f(a=1, a=2)  # ! compile
class A(Component):
    outputs = [Output(name="x", method="f")]
    def f(self):
        return 1
### break outside loop
class A(Component):
    outputs = [Output(name="x", method="f")]
    def f(self):
        break  # ! compile
        return 1
### yield in class
class A(Component):
    outputs = [Output(name="x", method="f")]
    x = yield 1  # ! compile
    def f(self):
        return 1
### security findings are part of it
import subprocess  # ! unsafe-process
class A(Component):
    outputs = [Output(name="x", method="f")]
    def f(self):
        return eval("1")  # ! unsafe-code
### a list with a helper
class A(Component):
    inputs = [StrInput(name="a"), helper()]
    outputs = [Output(name="x", method="f"), *more]
    def f(self):
        return 1
### module level names may be called anything
class A(Component):
    outputs: list[Output] = [Output(name="x", method="f")]
    def f(self): return 1
