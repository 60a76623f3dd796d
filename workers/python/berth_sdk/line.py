"""A version of an SDK: which names it has, and where Berth has what they stand for."""

import functools
import importlib
import json
import pkgutil

CODE = __package__


class Line:
    """A version of an SDK, which stands for all others with the same first number.

    What differs between versions is an attribute or a method of a class in `versions`; the class of
    a version derives from that of the one before.
    """

    # By module of the SDK: the module below `berth_sdk` that has its code under another name. It
    # holds for what is below it too.
    homes = {}
    # By module that the version does not have: what to say of it.
    gone = {}

    def __init__(self, package):
        self.package = package
        facts = json.loads(pkgutil.get_data(package, "facts.json"))
        self.name = facts["name"]
        self.version = facts["version"]
        self.number = int(self.version.partition(".")[0])
        self.distributions = facts["distributions"]
        self.requires = facts["requires"]
        # Of modules that many servers import: all names, None where there is no such module; and
        # those that are made already.
        self.common, self.ready = {}, {}

    @functools.cached_property
    def table(self):
        """The text of `names.json`; it is read only when a server asks for what is seldom used."""
        return "\n" + pkgutil.get_data(self.package, "names.json").decode()

    def names_of(self, module):
        """Return the names of a module and what they stand for, None of one that is not there."""
        begin = self.table.find(f'\n"{module}": ')
        if begin < 0:
            return None
        line = self.table[begin + 1 : self.table.index("\n", begin + 1)]
        return json.loads(line.partition(": ")[2].removesuffix(","))

    def has(self, dotted):
        """Return whether a dotted name is a module of this version, or a name in one."""
        parts = dotted.split(".")
        for count in range(len(parts), 0, -1):
            module = ".".join(parts[:count])
            names = self.common[module] if module in self.common else self.names_of(module)
            if names is not None:
                rest = parts[count : count + 1]
                return not rest or rest[0] in names or rest[0].startswith("_") or rest[0] == "*"
        return False

    def home_of(self, module):
        """Return the module that would have the code of a module of the SDK."""
        place, rest = module, ""
        while place:
            if place in self.homes:
                return f"{CODE}.{self.homes[place]}{rest}"
            place, _, last = place.rpartition(".")
            rest = f".{last}{rest}"
        return f"{CODE}.{module}"


def code_in(place):
    """Return the module of Berth's own code at a place, or None."""
    try:
        return importlib.import_module(place)
    except ModuleNotFoundError as error:
        if error.name is not None and (place == error.name or place.startswith(error.name + ".")):
            return None
        raise
