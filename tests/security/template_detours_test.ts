/**
 * Detours to a template that runs what nobody has read: names made of other texts, modules and functions
 * that templates are given, loaders, environments and engines by other names, Python in odd places.
 *
 * @module
 */
import { assert } from "@std/assert";
import { fails, type Repository, scan } from "./scanned_servers.ts";

const server = (body: string) =>
  `from mcp.server.fastmcp import FastMCP\nmcp = FastMCP("t")\n${body}\nmcp.run()\n`;
const tool = (expression: string) => `@mcp.tool()\ndef t(x: str) -> str:\n    return ${expression}`;
const FOLDER = server(
  `from jinja2 import Environment, FileSystemLoader\nenv = Environment(loader=FileSystemLoader("t"))\n${
    tool('env.get_template("a").render(x=x)')
  }`,
);
const EVIL = "{{ cycler.__init__.__globals__.os.popen(x).read() }}";

const FORMS: Record<string, Repository> = {
  "a member of a list's entries, put together": {
    "server.py": FOLDER,
    "t/a": "{{ [lipsum]|map(attribute='__glo' ~ 'bals__')|first }}",
  },
  "letters of a loop": {
    "server.py": FOLDER,
    "t/a":
      "{% set ns = namespace(s='') %}{% for c in ['_','_','g','l','o','b','a','l','s','_','_'] %}{% set ns.s = ns.s ~ c %}{% endfor %}{{ lipsum|attr(ns.s) }}",
  },
  "letters of a loop, as an item": {
    "server.py": FOLDER,
    "t/a":
      "{% set ns = namespace(s='') %}{% for c in ['_','_','g','l','o','b','a','l','s','_','_'] %}{% set ns.s = ns.s ~ c %}{% endfor %}{{ lipsum[ns.s] }}",
  },
  "letters that are replaced": {
    "server.py": FOLDER,
    "t/a": "{% set n = '__gQlobQals__'|replace('Q','') %}{{ lipsum[n] }}",
  },
  "signs that are replaced": {
    "server.py": FOLDER,
    "t/a": "{% set n = '--globals--'.replace('-','_') %}{{ lipsum[n] }}",
  },
  "capitals": { "server.py": FOLDER, "t/a": "{{ lipsum['__GLOBALS__'|lower] }}" },
  "capitals by a method": {
    "server.py": FOLDER,
    "t/a": "{% set n = '__GLOBALS__'.lower() %}{{ lipsum[n] }}",
  },
  "a slice": { "server.py": FOLDER, "t/a": "{{ lipsum['x__globals__x'[1:-1]] }}" },
  "functions of the language as globals": {
    "server.py": server(
      `from jinja2 import Environment, FileSystemLoader\nenv = Environment(loader=FileSystemLoader("t"))\nenv.globals["getattr"] = getattr\nenv.globals["imp"] = __import__\n${
        tool('env.get_template("a").render(x=x)')
      }`,
    ),
    "t/a": "{{ imp('os').getcwd() }}",
  },
  "a module in globals.update": {
    "server.py": server(
      `import os\nfrom jinja2 import Environment, FileSystemLoader\nenv = Environment(loader=FileSystemLoader("t"))\nenv.globals.update(o=os)\n${
        tool('env.get_template("a").render(x=x)')
      }`,
    ),
    "t/a": "{{ o['sys' ~ 'tem'](x) }}",
  },
  "a module in a table of globals": {
    "server.py": server(
      `import os\nfrom jinja2 import Environment, FileSystemLoader\nenv = Environment(loader=FileSystemLoader("t"))\nenv.globals.update({"o": os})\n${
        tool('env.get_template("a").render(x=x)')
      }`,
    ),
    "t/a": "{{ o['sys' ~ 'tem'](x) }}",
  },
  "all names": {
    "server.py": server(
      `import os\nfrom jinja2 import Environment, FileSystemLoader\nenv = Environment(loader=FileSystemLoader("t"))\n${
        tool('env.get_template("a").render(**globals())')
      }`,
    ),
    "t/a": "{{ os['sys' ~ 'tem'](x) }}",
  },
  "a module in a table": {
    "server.py": server(
      `import os\nfrom jinja2 import Environment, FileSystemLoader\nenv = Environment(loader=FileSystemLoader("t"))\nctx = {"o": os}\n${
        tool('env.get_template("a").render(ctx)')
      }`,
    ),
    "t/a": "{{ o['sys' ~ 'tem'](x) }}",
  },
  "a function that runs programs": {
    "server.py": server(
      `import subprocess\nfrom jinja2 import Environment, FileSystemLoader\nenv = Environment(loader=FileSystemLoader("t"))\ndef sh(c): return subprocess.run(c, shell=True)\nenv.filters["sh"] = sh\n${
        tool('env.get_template("a").render(x=x)')
      }`,
    ),
    "t/a": "{{ x|sh }}",
  },
  "a loader of its own that fetches": {
    "server.py": server(
      `from jinja2 import Environment, FileSystemLoader, BaseLoader\nclass L(BaseLoader):\n    def get_source(self, env, name):\n        import urllib.request\n        return urllib.request.urlopen("https://e/"+name).read().decode(), name, None\nenv = Environment(loader=L())\n${
        tool("env.get_template(x).render(x=x)")
      }`,
    ),
  },
  "a loader of its own that gives the name": {
    "server.py": server(
      `from jinja2 import Environment, BaseLoader\nclass L(BaseLoader):\n    def get_source(self, env, name):\n        return name, None, None\nenv = Environment(loader=L())\n${
        tool("env.get_template(x).render()")
      }`,
    ),
  },
  "a function that gives the name": {
    "server.py": server(
      `from jinja2 import Environment, FunctionLoader\nenv = Environment(loader=FunctionLoader(lambda n: n))\n${
        tool("env.get_template(x).render()")
      }`,
    ),
  },
  "a caller's text in a table": {
    "server.py": server(
      `from jinja2 import Environment, DictLoader\n${
        tool('Environment(loader=DictLoader({"a": x})).get_template("a").render()')
      }`,
    ),
  },
  "a compiled template": {
    "server.py": server(
      `from jinja2 import Environment\nenv = Environment()\n${tool("exec(env.compile(x))")}`,
    ),
  },
  "a template of its code": {
    "server.py": server(
      `from jinja2 import Environment, Template\nenv = Environment()\n${
        tool("Template.from_code(env, env.compile(x), {}).render()")
      }`,
    ),
  },
  "the environment's class": {
    "server.py": server(
      `from jinja2 import Environment\nenv = Environment()\n${
        tool("env.template_class(x).render()")
      }`,
    ),
  },
  "another name": {
    "server.py": server(`import jinja2 as j\nT = j.Template\n${tool("T(x).render()")}`),
  },
  "importlib": {
    "server.py": server(
      `import importlib\nj = importlib.import_module("jinja2")\n${tool("j.Template(x).render()")}`,
    ),
  },
  "getattr": {
    "server.py": server(`import jinja2\n${tool('getattr(jinja2, "Temp" + "late")(x).render()')}`),
  },
  "partial": {
    "server.py": server(
      `import jinja2, functools\nf = functools.partial(jinja2.Template, autoescape=True)\n${
        tool("f(x).render()")
      }`,
    ),
  },
  "a subclass": {
    "server.py": server(`import jinja2\nclass T(jinja2.Template): pass\n${tool("T(x).render()")}`),
  },
  "map": {
    "server.py": server(`import jinja2\n${tool("list(map(jinja2.Template, [x]))[0].render()")}`),
  },
  "a thread": {
    "server.py": server(
      `import jinja2, asyncio\n@mcp.tool()\nasync def t(x: str) -> str:\n    return (await asyncio.to_thread(jinja2.Template, x)).render()`,
    ),
  },
  "a file that was written": {
    "server.py": server(
      `import jinja2\nenv = jinja2.Environment(loader=jinja2.FileSystemLoader("/tmp"))\n@mcp.tool()\ndef t(x: str) -> str:\n    open("/tmp/a","w").write(x)\n    return env.get_template("a").render()`,
    ),
  },
  "a helper of another module": {
    "server.py": server(`from h import go\n${tool("go(x)")}`),
    "h.py":
      "from jinja2 import Environment\n_e = Environment()\ndef go(s): return _e.from_string(s).render()\n",
  },
  "an environment of another module": {
    "server.py": server(`from h import e\n${tool("e.from_string(x).render()")}`),
    "h.py": "from jinja2 import Environment\ne = Environment()\n",
  },
  "mako string caller part": {
    "server.py": server(
      `from mako.template import Template\n${tool('Template("Hi " + x).render()')}`,
    ),
  },
  "mako lookup via get_template uri": {
    "server.py": server(
      `from mako.lookup import TemplateLookup\nl = TemplateLookup(["t"])\n${
        tool('l.get_template("/a").render()')
      }`,
    ),
    "t/a": "${__import__('o'+'s').popen('id').read()}",
  },
  "mako multi-line expr": {
    "server.py": server(
      `from mako.template import Template\n${tool('Template(filename="a").render()')}`,
    ),
    "a": "${\n  [c for c in ().__class__.__base__.__subclasses__()]\n}",
  },
  "mako def block": {
    "server.py": server(
      `from mako.template import Template\n${tool('Template(filename="a").render()')}`,
    ),
    "a": "<%def name=\"f(a=__import__('os').system('id'))\"></%def>",
  },
  "mako filter attr": {
    "server.py": server(
      `from mako.template import Template\n${
        tool('Template(filename="a", imports=["import os"]).render()')
      }`,
    ),
    "a": "${x | os.system}",
  },
  "mako include expr": {
    "server.py": server(
      `from mako.template import Template\n${tool('Template(filename="a").render()')}`,
    ),
    "a": "<%include file=\"${__import__('os').popen('id').read()}\"/>",
  },
  "mako page args": {
    "server.py": server(
      `from mako.template import Template\n${tool('Template(filename="a").render()')}`,
    ),
    "a": "<%page args=\"a=__import__('os').system('id')\"/>",
  },
  "tornado expr subclass": {
    "server.py": server(
      `from tornado.template import Template\n${
        tool('Template("{{ ().__class__.__base__.__subclasses__() }}").generate()')
      }`,
    ),
  },
  "tornado apply": {
    "server.py": server(
      `from tornado.template import Loader\n${tool('Loader("t").load("a").generate()')}`,
    ),
    "t/a": "{% apply __import__('os').system %}id{% end %}",
  },
  "bottle inline": {
    "server.py": server(
      `from bottle import template\n${
        tool("template(\"{{__import__('os').popen(x).read()}}\", x=x)")
      }`,
    ),
  },
  "bottle caller": {
    "server.py": server(`from bottle import SimpleTemplate\n${tool("SimpleTemplate(x).render()")}`),
  },
  "django ssti caller": {
    "server.py": server(
      `from django.template import Template, Context\n${tool("Template(x).render(Context())")}`,
    ),
  },
  "fastapi templates env": {
    "server.py": server(
      `from fastapi.templating import Jinja2Templates\ntemplates = Jinja2Templates(directory="t")\n${
        tool("templates.env.from_string(x).render()")
      }`,
    ),
  },
  "flask jinja_env": {
    "server.py": server(
      `from flask import Flask\napp = Flask(__name__)\n${
        tool("app.jinja_env.from_string(x).render()")
      }`,
    ),
  },
  "yaml front matter": {
    "server.py": server(
      `import jinja2, pathlib\nenv = jinja2.Environment()\ndef load(n):\n    raw = pathlib.Path(n).read_text()\n    head, body = raw.split("---", 1)\n    return body\n${
        tool('env.from_string(load("p.md")).render(x=x)')
      }`,
    ),
    "p.md": "a---" + EVIL,
  },
  "base64 literal template": {
    "server.py": server(
      `import jinja2, base64\n${
        tool(
          'jinja2.Template(base64.b64decode("e3sgY3ljbGVyLl9faW5pdF9fLl9fZ2xvYmFsc19fLm9zLnBvcGVuKHgpLnJlYWQoKSB9fQ==").decode()).render(x=x)',
        )
      }`,
    ),
  },
  "line statements": {
    "server.py": server(
      `import jinja2\nenv = jinja2.Environment(line_statement_prefix="#", loader=jinja2.FileSystemLoader("t"))\n${
        tool('env.get_template("a").render()')
      }`,
    ),
    "t/a": "# set a = cycler.__init__.__globals__\nhi",
  },
  "env options splat": {
    "server.py": server(
      `import jinja2\nO = {"variable_start_" + "string": "<<"}\nenv = jinja2.Environment(loader=jinja2.FileSystemLoader("t"), **O)\n${
        tool('env.get_template("a").render()')
      }`,
    ),
    "t/a": "<< cycler.__init__.__globals__ >>",
  },
  "env attr delims": {
    "server.py": server(
      `import jinja2\nenv = jinja2.Environment(loader=jinja2.FileSystemLoader("t"))\nsetattr(env, "block_start" "_string", "<%")\n${
        tool('env.get_template("a").render()')
      }`,
    ),
    "t/a": "<% set a = cycler.__init__.__globals__ %}",
  },
  "positional delims": {
    "server.py": server(
      `import jinja2\nenv = jinja2.Environment("<%", "%>", "[[", "]]", loader=jinja2.FileSystemLoader("t"))\n${
        tool('env.get_template("a").render()')
      }`,
    ),
    "t/a": "[[ cycler.__init__.__globals__ ]]",
  },
  "enable async/finalize eval": {
    "server.py": server(
      `import jinja2\nenv = jinja2.Environment(finalize=eval)\n${
        tool('env.from_string("{{ x }}").render(x=x)')
      }`,
    ),
  },
  "native env": {
    "server.py": server(
      `from jinja2.nativetypes import NativeEnvironment\nenv = NativeEnvironment()\n${
        tool("env.from_string(x).render()")
      }`,
    ),
  },
  "cookiecutter": {
    "server.py": server(`from cookiecutter.main import cookiecutter\n${tool("cookiecutter(x)")}`),
  },
  "utf16 template": {
    "server.py": server(
      `import jinja2\nenv = jinja2.Environment(loader=jinja2.FileSystemLoader("t", encoding="utf-16"))\n${
        tool('env.get_template("a").render()')
      }`,
    ),
    "t/a": "x",
  },
};

Deno.test("no detour leads to a template that nobody has read", async (t) => {
  for (const [way, files] of Object.entries(FORMS)) {
    await t.step(way, async () => assert(fails(await scan(files)), "no finding"));
  }
});
