import csv
import io
import zipfile
from pathlib import PurePath

from lfx.custom.custom_component.component import Component
from lfx.io import FileInput, Output
from lfx.schema.dataframe import DataFrame


class CsvFiles(Component):
    """Reads a csv, or every csv inside a zip, into one table."""

    display_name = "CSV Files"
    inputs = [FileInput(name="file", display_name="File", file_types=["csv", "zip"])]
    outputs = [Output(name="table", display_name="Table", method="read_all")]

    def _parts(self):
        raw = self.read_file(self.file)
        if PurePath(self.file).suffix.lower() == ".zip":
            with zipfile.ZipFile(io.BytesIO(raw)) as z:
                for name in sorted(n for n in z.namelist() if n.endswith(".csv")):
                    yield name, z.read(name).decode()
        else:
            yield PurePath(self.file).name, raw.decode()

    def read_all(self) -> DataFrame:
        rows = [{"file": name, **row} for name, text in self._parts() for row in csv.DictReader(io.StringIO(text))]
        self.status = f"{len(rows)} rows"
        return DataFrame(rows)
