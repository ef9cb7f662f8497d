from datetime import date, datetime, timedelta, timezone

from langflow.custom import Component
from langflow.io import IntInput, MessageTextInput, Output
from langflow.schema import Data
from langflow.schema.message import Message


class DateMath(Component):
    display_name = "Date Math"
    icon = "calendar"
    inputs = [
        MessageTextInput(name="begin", display_name="Start", value="2024-02-28T10:00:00+00:00"),
        IntInput(name="days", display_name="Days", value=2),
        IntInput(name="utc_offset", display_name="UTC offset", value=0, advanced=True),
    ]
    outputs = [
        Output(name="moved", display_name="Moved", method="move"),
        Output(name="sentence", display_name="Sentence", method="say"),
    ]

    def _moved(self) -> datetime:
        moment = datetime.fromisoformat(self.begin)
        return moment.astimezone(timezone(timedelta(hours=self.utc_offset))) + timedelta(days=self.days)

    def move(self) -> Data:
        m = self._moved()
        return Data(data={"iso": m.isoformat(), "date": m.date(), "weekday": m.weekday(), "week": m.isocalendar()[1], "epoch": int(m.timestamp()), "leap_day": m.date() == date(2024, 2, 29), "moment": m})

    def say(self) -> Message:
        m = self._moved()
        return Message(text=f"{m:%d.%m.%Y %H:%M} is day {m.timetuple().tm_yday}")
