"""Reading dates, times and durations from text and numbers, with the faults named as pydantic does.

Every function raises `Fault` with the words that follow "Input should be a valid …, ".
"""

import datetime
import re

_EARLIEST_SECONDS = 2e10


class TzInfo(datetime.tzinfo):
    """A fixed offset from UTC in seconds: the zone of the moments that are read here."""

    def __init__(self, seconds=0.0):
        if not -86_400 < seconds < 86_400:
            raise ValueError(
                "TzInfo offset must be strictly between -86400 and 86400 (24 hours) seconds, "
                f"got {seconds}"
            )
        self._seconds = int(seconds)

    def utcoffset(self, _moment):
        """Return the offset."""
        return datetime.timedelta(seconds=self._seconds)

    def tzname(self, _moment):
        """Return `UTC` or the offset as text."""
        return str(self)

    def dst(self, _moment):
        """Return None: the offset is the same all year."""
        return None

    def fromutc(self, moment):
        """Return the moment of this zone for one in UTC."""
        return moment + self.utcoffset(moment)

    def __eq__(self, other):
        if not isinstance(other, datetime.tzinfo):
            return NotImplemented
        return other.utcoffset(None) == self.utcoffset(None)

    def __hash__(self):
        return hash(self._seconds)

    def __reduce__(self):
        return TzInfo, (self._seconds,)

    def __deepcopy__(self, _memo):
        return TzInfo(self._seconds) if self._seconds else self

    def __str__(self):
        if not self._seconds:
            return "UTC"
        minutes, seconds = divmod(abs(self._seconds), 60)
        text = f"{'-' if self._seconds < 0 else '+'}{minutes // 60:02d}:{minutes % 60:02d}"
        return f"{text}:{seconds:02d}" if seconds else text

    def __repr__(self):
        return f"TzInfo({self._seconds})"


_UTC = TzInfo()


class Fault(ValueError):
    """Why text is no date, time or duration."""


def parse_datetime(value):
    """Return a datetime; numbers are seconds, or milliseconds when large, since 1970."""
    if isinstance(value, datetime.date):
        return datetime.datetime(value.year, value.month, value.day)
    if isinstance(value, (int, float)):
        return _from_number(value)
    text = value.strip()
    if re.fullmatch(r"[+-]?\d+(\.\d+)?", text):
        return _from_number(float(text))
    day, rest = _day(text)
    if not rest:
        return datetime.datetime(day.year, day.month, day.day)
    if rest[0] not in "Tt _":
        raise Fault("invalid datetime separator, expected `T`, `t`, `_` or space")
    return datetime.datetime.combine(day, _clock(rest[1:]))


def parse_date(value):
    """Return a date; a datetime has to be at midnight."""
    if isinstance(value, str) and len(value) == 10 and not value.isdigit():
        day, _ = _day(value)
        return day
    moment = value if isinstance(value, datetime.datetime) else parse_datetime(value)
    if moment.time() != datetime.time(0):
        raise Inexact()
    return moment.date()


class Inexact(Exception):
    """A datetime with a time where a date is wanted."""


def date_fault(text):
    """Return why text is no plain date."""
    try:
        _, rest = _day(text.strip())
    except Fault as fault:
        return str(fault)
    return "unexpected extra characters at the end of the input" if rest else ""


def parse_time(value):
    """Return a time; numbers are seconds of the day in UTC."""
    if isinstance(value, (int, float)):
        if not 0 <= value < 86_400:
            raise Fault("numeric times may not exceed 86,399 seconds")
        return (datetime.datetime(2000, 1, 1, tzinfo=_UTC) + _seconds(value)).timetz()
    return _clock(value)


def _from_number(value):
    seconds = value / 1000 if abs(value) > _EARLIEST_SECONDS else value
    try:
        return datetime.datetime(1970, 1, 1, tzinfo=_UTC) + _seconds(seconds)
    except OverflowError, ValueError:
        side = "after 9999" if value > 0 else "before 0000"
        raise Fault(f"dates {side} are not supported as unix timestamps") from None


def _seconds(value):
    return datetime.timedelta(seconds=value)


def _digits(text, start, count, name):
    part = text[start : start + count]
    if len(part) < count or not (part.isascii() and part.isdigit()):
        raise Fault(f"invalid character in {name}")
    return int(part)


def _day(text):
    """Return the date that text begins with, and the rest."""
    if len(text) < 10:
        raise Fault("input is too short")
    year = _digits(text, 0, 4, "year")
    for position in (4, 7):
        if position == 7:
            month = _digits(text, 5, 2, "month")
        if text[position] != "-":
            raise Fault("invalid date separator, expected `-`")
    day = _digits(text, 8, 2, "day")
    if not 1 <= month <= 12:
        raise Fault("month value is outside expected range of 1-12")
    try:
        return datetime.date(year, month, day), text[10:]
    except ValueError:
        raise Fault("day value is outside expected range") from None


def _clock(text):
    """Return the time that text is, with its zone."""
    if len(text) < 5:
        raise Fault("input is too short")
    hour = _digits(text, 0, 2, "hour")
    if text[2] != ":":
        raise Fault("invalid time separator, expected `:`")
    minute = _digits(text, 3, 2, "minute")
    if hour > 23:
        raise Fault("hour value is outside expected range of 0-23")
    if minute > 59:
        raise Fault("minute value is outside expected range of 0-59")
    second, micro, position = 0, 0, 5
    if text[5:6] == ":":
        second, position = _digits(text, 6, 2, "second"), 8
        if second > 59:
            raise Fault("second value is outside expected range of 0-59")
        fraction = re.match(r"[.,](\d+)", text[8:])
        if fraction:
            micro = int(fraction[1][:6].ljust(6, "0"))
            position += fraction.end()
    return datetime.time(hour, minute, second, micro, tzinfo=_zone(text[position:]))


def _zone(text):
    if not text:
        return None
    if text in ("Z", "z"):
        return _UTC
    found = re.fullmatch(r"([+\-−])(\d\d):?(\d\d)", text)
    if not found:
        if text[0] in "+-−":
            raise Fault("invalid timezone sign" if len(text) < 2 else "input is too short")
        raise Fault("unexpected extra characters at the end of the input")
    minutes = int(found[2]) * 60 + int(found[3])
    if int(found[3]) > 59:
        raise Fault("timezone minute value is outside expected range of 0-59")
    if minutes >= 24 * 60:
        raise Fault("timezone offset must be less than 24 hours")
    return TzInfo(minutes * (60 if found[1] == "+" else -60)) if minutes else _UTC


_ISO = re.compile(
    r"([+-]?)P(?:(?P<weeks>[\d.]+)W)?(?:(?P<days>[\d.]+)D)?"
    r"(?:T(?:(?P<hours>[\d.]+)H)?(?:(?P<minutes>[\d.]+)M)?(?:(?P<seconds>[\d.]+)S)?)?\Z"
)
_WORDS = re.compile(
    r"([+-]?)(?:(?P<days>\d+)\s*d(?:ays?)?,?\s*)?"
    r"(?:(?P<hours>\d\d?):(?P<minutes>\d\d)(?::(?P<seconds>\d\d(?:\.\d+)?))?)?\Z",
    re.IGNORECASE,
)


def parse_timedelta(value):
    """Return a duration from ISO 8601, `1 day 02:03:04` or seconds."""
    if isinstance(value, (int, float)):
        return _seconds(value)
    text = value.strip()
    plain = text.lstrip("+-")
    if not plain or plain in ("P", "PT"):
        raise Fault("input is too short")
    found = _ISO.match(text) or _WORDS.match(text)
    given = {key: float(part) for key, part in found.groupdict().items() if part} if found else {}
    if given:
        return datetime.timedelta(**given) * (-1 if found[1] == "-" else 1)
    if plain[0] == "P":
        raise Fault("quantity invalid in date part of duration")
    if len(plain) > 10 and plain[0].isdigit():
        raise Fault("durations may not exceed 999,999,999 hours")
    if len(plain) > 4 and plain[0].isdigit():
        raise Fault("invalid character in hour")
    if plain[0].isdigit():
        raise Fault('"day" identifier in duration not correctly formatted')
    raise Fault("invalid digit in duration")
