import random
import secrets
import string

from langflow.custom import Component
from langflow.io import BoolInput, IntInput, Output
from langflow.schema import Data


class Password(Component):
    display_name = "Password"
    description = "Makes a password; with a seed always the same one."
    inputs = [
        IntInput(name="length", display_name="Length", value=12),
        IntInput(name="seed", display_name="Seed", value=7),
        BoolInput(name="symbols", display_name="Symbols", value=False),
    ]
    outputs = [Output(name="password", display_name="Password", method="make")]

    def make(self) -> Data:
        alphabet = string.ascii_letters + string.digits + (string.punctuation if self.symbols else "")
        rng = random.Random(self.seed)
        first = "".join(rng.choices(alphabet, k=self.length))
        rng.seed(self.seed)
        second = "".join(rng.choices(alphabet, k=self.length))
        free = "".join(secrets.choice(alphabet) for _ in range(self.length))
        deck = list(range(10))
        random.shuffle(deck)
        return Data(data={"same": first == second, "length": len(free), "different": free != first, "deck": sorted(deck), "ok": all(c in alphabet for c in free)})
