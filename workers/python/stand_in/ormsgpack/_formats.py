"""How values look in MessagePack."""

import datetime

DEEPEST = 1024
TIMESTAMP = -1
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)

# Up to which size a value's first byte holds it, and that byte; then the bytes before longer sizes.
STR = (32, 0xA0), ((0xD9, ">B"), (0xDA, ">H"), (0xDB, ">I"))
BIN = (0, 0), ((0xC4, ">B"), (0xC5, ">H"), (0xC6, ">I"))
ARRAY = (16, 0x90), ((0xDC, ">H"), (0xDD, ">I"))
MAP = (16, 0x80), ((0xDE, ">H"), (0xDF, ">I"))
EXT = (0, 0), ((0xC7, ">B"), (0xC8, ">H"), (0xC9, ">I"))
FIXED = {1: 0xD4, 2: 0xD5, 4: 0xD6, 8: 0xD7, 16: 0xD8}
