import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { openTestHosts } from "../helpers/interpreter.ts";
import { ADDER, only, type Repository, run, scan } from "./scanned_servers.ts";

/** Honest ways to a module with the tools. */
const PATHS: Record<string, string> = {
  "insert": "import sys\nsys.path.insert(0, 'lib')\nfrom impl import mcp\n",
  "append": "import sys\nsys.path.append('lib')\nfrom impl import mcp\n",
  "extend": "import sys\nsys.path.extend(['lib'])\nfrom impl import mcp\n",
  "+=": "import sys\nsys.path += ['lib']\nfrom impl import mcp\n",
  "a slice": "import sys\nsys.path[0:0] = ['lib']\nfrom impl import mcp\n",
  "a sum": "import sys\nsys.path = ['lib'] + sys.path\nfrom impl import mcp\n",
  "os.path":
    "import os, sys\nsys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), 'lib'))\nfrom impl import mcp\n",
  "pathlib":
    "import sys\nfrom pathlib import Path\nHERE = Path(__file__).resolve().parent\nsys.path.insert(0, str(HERE / 'lib'))\nfrom impl import mcp\n",
  "a loop":
    "import sys, os\nHERE = os.path.dirname(__file__)\nfor name in ('lib', 'more'):\n    sys.path.append(os.path.join(HERE, name))\nfrom impl import mcp\n",
  "a name of the list": "from sys import path\npath.insert(0, 'lib')\nfrom impl import mcp\n",
  "site.addsitedir": "import site\nsite.addsitedir('lib')\nfrom impl import mcp\n",
  "exec of an import": "import sys\nsys.path.insert(0, 'lib')\nexec('from impl import mcp')\n",
  "a file's location": `import importlib.util, os
spec = importlib.util.spec_from_file_location("impl", os.path.join("lib", "impl.py"))
impl = importlib.util.module_from_spec(spec)
spec.loader.exec_module(impl)
mcp = impl.mcp
`,
  "runpy": "import runpy\nmcp = runpy.run_path('lib/impl.py')['mcp']\n",
  "exec of the file": "exec(open('lib/impl.py').read())\n",
};

Deno.test("tools on a path that is changed literally are found, and run", async (t) => {
  await using hosts = await openTestHosts();
  for (const [way, head] of Object.entries(PATHS)) {
    await t.step(way, async () => {
      const source = `${head}if __name__ == "__main__":\n    mcp.run()\n`;
      const files = { "server.py": source, "lib/impl.py": ADDER.split("if __name__")[0]! };
      const found = await scan(files);
      assertEquals([found.tools, found.dynamic, found.grave], [["add"], false, []]);
      assertEquals(found.code.files, ["lib/impl.py", "server.py"]);
      const { load, tools } = await run(hosts, files, found.code);
      assertEquals([load.kind, tools], ["loaded", ["add"]], JSON.stringify(load));
    });
  }
});

const EVIL = "print('it ran')\n";
const zip = Uint8Array.fromBase64(
  "UEsDBBQAAAAAAAAAIVzYPLxKEAAAABAAAAAHAAAAZXZpbC5weXByaW50KCdpdCByYW4nKQpQSwECFAMUAAAAAAAAACFc2Dy8ShAAAAAQAAAABwAAAAAAAAAAAAAAgAEAAAAAZXZpbC5weVBLBQYAAAAAAQABADUAAAA1AAAAAAA=",
);

/** Ways in which a session is asked to run what the scan has not listed. */
const RUN: Record<string, Repository> = {
  "import": { "server.py": "import evil\n", "evil.py": EVIL },
  "import_module": { "server.py": "import importlib\nimportlib.import_module('e' + 'vil')\n" },
  "run_path": { "server.py": "import runpy\nrunpy.run_path('evil.txt')\n" },
  "run_module": { "server.py": "import runpy\nrunpy.run_module('evil')\n" },
  "SourceFileLoader": {
    "server.py":
      "from importlib.machinery import SourceFileLoader\nSourceFileLoader('e', '/app/evil.txt').load_module()\n",
  },
  "a path hook": {
    "server.py": `import sys
from importlib.machinery import FileFinder, SourceFileLoader
sys.path_hooks.insert(0, FileFinder.path_hook((SourceFileLoader, [".txt"])))
sys.path_importer_cache.clear()
sys.path.insert(0, "/app/text")
import evil
`,
    "text/evil.txt": EVIL,
  },
  "zipimport": { "server.py": "import sys\nsys.path.insert(0, 'evil.zip')\nimport evil\n" },
  "exec of its text": { "server.py": "exec(open('evil.txt').read())\n" },
  "compile of its text": {
    "server.py": "eval(compile(open('evil.txt').read(), 'x', 'exec'))\n",
  },
  "the interactive interpreter": {
    "server.py": "import code\ncode.InteractiveInterpreter().runsource(open('evil.txt').read())\n",
  },
  "text that is made": { "server.py": "exec(''.join(['print(', '\"it ran\")']))\n" },
  "a lambda of eval": { "server.py": "list(map(eval, ['print(\"it ran\")']))\n" },
  "a module that it wrote": {
    "server.py":
      "open('/tmp/made.py', 'w').write('print(\"it ran\")')\nimport sys\nsys.path.insert(0, '/tmp')\nimport made\n",
  },
  "itself, changed": {
    "server.py": `import sys, importlib
open("/app/other.py", "w").write("print('it ran')")
import other
`,
    "other.py": "",
  },
  "bytecode": {
    "server.py": "import marshal, sys\ncode = marshal.loads(marshal.dumps((lambda: 1).__code__))\n",
  },
  "code of its own making": {
    "server.py": "code = (lambda: 1).__code__.replace(co_name='x')\n",
  },
  "a loader's compiler": {
    "server.py":
      "import importlib.abc\nexec(importlib.abc.InspectLoader.source_to_code(open('evil.txt').read()))\n",
  },
  "a loader's compiler, as the library's": {
    "server.py":
      "from importlib.machinery import SourceFileLoader as L\nexec(L('x', '/lib/x.py').source_to_code(open('evil.txt').read(), '/lib/x.py'))\n",
  },
  "a loader that says what it read": {
    "server.py": `from importlib.machinery import SourceFileLoader
class L(SourceFileLoader):
    def get_data(self, path): return open("evil.txt", "rb").read()
    def path_stats(self, path): raise OSError
L("x", "/lib/x.py").load_module()
`,
  },
  "the archive's compiler": {
    "server.py":
      "import zipimport\nexec(zipimport._compile_source('/lib/x.py', open('evil.txt', 'rb').read()))\n",
  },
  "a disassembler": {
    "server.py":
      "import dis, types\ntypes.FunctionType(dis.Bytecode(open('evil.txt').read()).codeobj, {})()\n",
  },
  "a scanned text with the library's name": {
    "server.py":
      "space = {}\nexec(compile('run = lambda text: exec(text)', '/lib/x.py', 'exec'), space)\nspace['run'](open('evil.txt').read())\n",
  },
  "an annotation": {
    "server.py":
      "import typing\ndef f(): ...\nf.__annotations__ = {'x': open('evil.txt').read().strip()}\ntyping.get_type_hints(f)\n",
  },
  "a forward reference": {
    "server.py":
      "import annotationlib\nannotationlib.ForwardRef(open('evil.txt').read().strip()).evaluate()\n",
  },
  "a signature": {
    "server.py":
      "import inspect\ndef f(x): ...\nf.__annotations__['x'] = open('evil.txt').read().strip()\ninspect.signature(f, eval_str=True)\n",
  },
  "a template that walks": {
    "server.py":
      "import jinja2\njinja2.Template('{{ cycler.__init__.__globals__.os.getcwd() }}').render()\n",
  },
  "a template that puts a name together": {
    "server.py":
      'import jinja2\njinja2.Template(\'{{ cycler["__init__"]|attr("__glo" ~ "bals__") }}\').render()\n',
  },
  "a template of a file": {
    "server.py":
      "import jinja2\njinja2.Environment().from_string(open('walk.txt').read()).render()\n",
    "walk.txt": "{% set f = lipsum.__globals__ %}{{ f }}",
  },
  "a lexer of a file": {
    "server.py": "import pygments.lexers\npygments.lexers.load_lexer_from_file('evil.txt')\n",
  },
  "a proxy's method": {
    "server.py":
      "import multiprocessing.managers as m\nm.MakeProxyType('P', ['f(): ...\\nprint(\"it ran\")\\ndef g'])\n",
  },
  "a shared value's field": {
    "server.py":
      "import multiprocessing.sharedctypes as s\ns.make_property('x(self): ...\\nprint(\"it ran\")\\ndef get')\n",
  },
  "a shared value's template": {
    "server.py":
      "import multiprocessing.sharedctypes as s\ns.template = 'print(\"it ran\") #%s%s%s%s%s%s%s'\ns.make_property('x')\n",
  },
  "bytecode of a template": {
    "server.py": `import marshal, pickle
from jinja2.bccache import Bucket, bc_magic
made = marshal.dumps((lambda: print("it ran")).__code__)
bucket = Bucket(None, "k", "c")
bucket.bytecode_from_string(bc_magic + pickle.dumps("c", 2) + made)
eval(bucket.code)
`,
  },
  "the library's folder": {
    "server.py": "open('/lib/made.py', 'w').write('print(\"it ran\")')\n",
  },
};

Deno.test("a session compiles only what was scanned, whatever way is taken, and says so", async (t) => {
  await using hosts = await openTestHosts();
  for (const [way, files] of Object.entries(RUN)) {
    await t.step(way, async () => {
      const all = { "evil.py": EVIL, "evil.txt": EVIL, "evil.zip": zip, ...files };
      const { load, log } = await run(hosts, all, only("server.py", "other.py"), "server.py");
      assert(load.kind === "raised", JSON.stringify({ load, log }));
      assert(!log.includes("it ran"), log);
      if (way === "the library's folder") return;
      assertStringIncludes(load.message, "was not scanned and does not run");
      assertStringIncludes(log, "was not scanned and does not run");
    });
  }
  await t.step("without a list of the scan a server runs as before", async () => {
    const { log } = await run(hosts, { "server.py": "import evil\n", "evil.py": EVIL }, null);
    assertStringIncludes(log, "it ran");
  });
  await t.step(
    "text of callers is compiled where the scan allows it, text of files is not",
    async () => {
      const code = { ...only("server.py"), computed: true };
      const made = await run(
        hosts,
        { "server.py": "exec(''.join(['print(\"it', ' ran\")']))\n" },
        code,
      );
      assertStringIncludes(made.log, "it ran");
      const files = { "server.py": "exec(open('evil.txt').read())\n", "evil.txt": EVIL };
      const read = await run(hosts, files, code);
      assert(read.load.kind === "raised");
      assertStringIncludes(read.load.message, "evil.txt was not scanned");
    },
  );
  await t.step("what the standard library and packages compile is theirs", async () => {
    const source = `${
      ADDER.split("if __name__")[0]
    }import ast, collections, dataclasses, enum, typing
import multiprocessing.managers, multiprocessing.sharedctypes
import jinja2, pydantic

multiprocessing.managers.MakeProxyType("Proxy", ["get", "_put"])
multiprocessing.sharedctypes.make_property("value")

P = collections.namedtuple("P", "a b")

@dataclasses.dataclass
class D:
    a: "int" = 0

class M(pydantic.BaseModel):
    a: "list[int]" = []
    b: "typing.Annotated[int, pydantic.Field(gt=0)]" = 1

def shown(x: "typing.Annotated[str, pydantic.AfterValidator(lambda x: x.strip())]"): ...

typing.get_type_hints(D)
typing.get_type_hints(shown)
TEXT = "{% for a in b %}{{ loop.index }} {{ a.__class__.__name__ }}{% endfor %} in __globals__"
print(ast.literal_eval("[1]"), jinja2.Template(TEXT).render(b=[1]), P(1, 2), M(a=[1]))
mcp.run()
`;
    const { load, tools } = await run(hosts, { "server.py": source }, only("server.py"));
    assertEquals([load.kind, tools], ["loaded", ["add"]], JSON.stringify(load));
  });
});
