"""The options of ormsgpack, and values that are written as they say."""

OPT_NAIVE_UTC = 1
OPT_NON_STR_KEYS = 2
OPT_OMIT_MICROSECONDS = 4
OPT_PASSTHROUGH_BIG_INT = 8
OPT_PASSTHROUGH_DATACLASS = 16
OPT_PASSTHROUGH_DATETIME = 32
OPT_PASSTHROUGH_SUBCLASS = 64
OPT_PASSTHROUGH_TUPLE = 128
OPT_SERIALIZE_NUMPY = 256
OPT_SERIALIZE_PYDANTIC = 512
OPT_SORT_KEYS = 1024
OPT_UTC_Z = 2048
OPT_PASSTHROUGH_UUID = 4096
OPT_PASSTHROUGH_ENUM = 8192
OPT_DATETIME_AS_TIMESTAMP_EXT = 16384
OPT_REPLACE_SURROGATES = 32768


class Fragment:
    """Bytes that are taken over as they are."""

    def __init__(self, data):
        self.data = bytes(data)


class Ext:
    """A value of an application's own type."""

    def __init__(self, tag, data):
        if not isinstance(tag, int):
            raise TypeError("Ext.__new__() first argument must be int")
        if not isinstance(data, bytes):
            raise TypeError("Ext.__new__() second argument must be bytes")
        self.tag = tag
        self.data = data
