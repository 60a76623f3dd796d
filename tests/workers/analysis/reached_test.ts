import { assertEquals } from "@std/assert";
import { analyse } from "../../../workers/analysis/audit/mod.ts";
import { analyseHere } from "../../helpers/analysis.ts";

interface Missing {
  construct: string;
  file: string;
  line: number;
  hint: string;
  within?: string;
}

async function missing(files: Record<string, string>): Promise<Missing[]> {
  const { result } = await analyseHere<{ missing: Missing[] }>(analyse, files, { lang: "python" });
  return result.missing;
}

const HEAD = "from mcp.server.fastmcp import FastMCP\nmcp = FastMCP('x')\n";

const isPackage = ({ construct }: Missing) => /^(?:package|binary wheel) \(/.test(construct);

/** What is missing of a server with these lines in its tool, without the packages themselves. */
async function ofTool(imports: string, ...body: string[]): Promise<string[]> {
  const lines = body.map((line) => `    ${line}\n`).join("");
  const source = `${imports}\n${HEAD}@mcp.tool()\nasync def act(key: str):\n${lines}`;
  return (await missing({ "server.py": source }))
    .filter((each) => !isPackage(each))
    .map(({ construct, within }) => `${construct} in ${within}`);
}

Deno.test("audit names what starts a program or opens a socket through a package", async () => {
  const cases: [imports: string, body: string, construct: string][] = [
    [
      "from playwright.async_api import async_playwright",
      "async with async_playwright() as p: pass",
      "process (playwright.async_api.async_playwright)",
    ],
    ["from selenium import webdriver", "webdriver.Chrome()", "process (selenium.webdriver.Chrome)"],
    ["import git", "git.Repo.clone_from(key, 'x')", "process (git.Repo.clone_from)"],
    ["from git import Repo as R", "R(key)", "process (git.Repo)"],
    ["import docker", "docker.from_env().containers.list()", "process (docker.from_env)"],
    ["import ffmpeg", "ffmpeg.input(key).output('x').run()", "process (ffmpeg.input)"],
    [
      "from pydub import AudioSegment",
      "AudioSegment.from_mp3(key)",
      "process (pydub.AudioSegment.from_mp3)",
    ],
    [
      "import pytesseract",
      "pytesseract.image_to_string(key)",
      "process (pytesseract.image_to_string)",
    ],
    [
      "from pdf2image import convert_from_path",
      "convert_from_path(key)",
      "process (pdf2image.convert_from_path)",
    ],
    ["import paramiko", "paramiko.SSHClient().connect(key)", "socket (paramiko.SSHClient)"],
    ["import redis", "redis.Redis(host=key).get('a')", "socket (redis.Redis)"],
    ["import redis.asyncio as redis", "redis.from_url(key)", "socket (redis.asyncio.from_url)"],
    ["from redis import Redis", "Redis.from_url(key)", "socket (redis.Redis.from_url)"],
    ["import pymysql", "pymysql.connect(host=key)", "socket (pymysql.connect)"],
    ["import aiomysql", "await aiomysql.create_pool()", "socket (aiomysql.create_pool)"],
    ["import mysql.connector", "mysql.connector.connect()", "socket (mysql.connector.connect)"],
    ["import psycopg", "psycopg.connect(key)", "socket (psycopg.connect)"],
    [
      "import psycopg",
      "await psycopg.AsyncConnection.connect(key)",
      "socket (psycopg.AsyncConnection.connect)",
    ],
    ["import psycopg2", "psycopg2.connect(key)", "socket (psycopg2.connect)"],
    ["import asyncpg", "await asyncpg.create_pool(key)", "socket (asyncpg.create_pool)"],
    ["import websockets", "await websockets.connect(key)", "socket (websockets.connect)"],
    ["from pymongo import MongoClient", "MongoClient(key)", "socket (pymongo.MongoClient)"],
    [
      "from motor.motor_asyncio import AsyncIOMotorClient as C",
      "C(key)",
      "socket (motor.motor_asyncio.AsyncIOMotorClient)",
    ],
    ["import aiosmtplib", "await aiosmtplib.send(key)", "socket (aiosmtplib.send)"],
    ["from imapclient import IMAPClient", "IMAPClient(key)", "socket (imapclient.IMAPClient)"],
    ["from kafka import KafkaProducer", "KafkaProducer()", "socket (kafka.KafkaProducer)"],
    ["import pika", "pika.BlockingConnection(key)", "socket (pika.BlockingConnection)"],
    ["import paho.mqtt.client as mqtt", "mqtt.Client()", "socket (paho.mqtt.client.Client)"],
    ["import ldap3", "ldap3.Connection(key)", "socket (ldap3.Connection)"],
    ["import grpc", "grpc.insecure_channel(key)", "socket (grpc.insecure_channel)"],
    [
      "from sqlalchemy.ext.asyncio import create_async_engine",
      "create_async_engine('postgresql+asyncpg://db.example/x')",
      "socket (sqlalchemy.ext.asyncio.create_async_engine)",
    ],
  ];
  for (const [imports, body, construct] of cases) {
    assertEquals(await ofTool(imports, body), [`${construct} in act`]);
    // An import in the function itself is one too.
    assertEquals(await ofTool("", imports, body), [`${construct} in act`]);
  }
});

Deno.test("audit takes no import of such a package, and nothing that works without, for a need", async () => {
  const cases: [imports: string, ...body: string[]][] = [
    ["import redis, pymysql, playwright.async_api, git, docker, websockets, pika", "return key"],
    ["from redis.exceptions import RedisError", "try: pass", "except RedisError: pass"],
    ["import redis", "assert isinstance(key, redis.Redis)"],
    ["import pymysql", "return pymysql.converters.escape_string(key)"],
    ["from git.exc import GitError", "raise GitError(key)"],
    ["from selenium import webdriver", "webdriver.Remote(key)"],
    ["from pydub import AudioSegment", "AudioSegment.from_wav(key)"],
    ["from upstash_redis import Redis", "Redis(url=key, token=key)"],
    ["import sqlalchemy", "sqlalchemy.create_engine('sqlite:///x.db')"],
    ["import sqlalchemy", "sqlalchemy.create_engine(key)"],
    ["import ldap3", "ldap3.Server(key)"],
    ["import httpx, requests, aiohttp, elasticsearch", "elasticsearch.Elasticsearch(key)"],
  ];
  for (const [imports, ...body] of cases) {
    assertEquals([imports, ...await ofTool(imports, ...body)], [imports]);
  }
  // Another function imports it, and no code calls anything of it.
  const source = `${HEAD}
def types():
    import redis
    return redis.Redis
@mcp.tool()
def act(key: str):
    return key
`;
  const found = await missing({ "server.py": source });
  assertEquals(found.filter((each) => !isPackage(each)), []);
});

Deno.test("audit takes a module of the repository for no package of its name", async () => {
  const tool = (imports: string) =>
    `${imports}\n${HEAD}@mcp.tool()\ndef act(key: str):\n    return redis.Redis(key)\n`;
  const layouts: [entry: string, module: string][] = [
    ["server.py", "redis.py"],
    ["server.py", "redis/__init__.py"],
    ["app/server.py", "app/redis.py"],
    ["app/server.py", "src/redis/__init__.py"],
  ];
  for (const [entry, module] of layouts) {
    const files = { [entry]: tool("import redis"), [module]: "class Redis: ...\n" };
    assertEquals([module, ...await missing(files)], [module]);
  }
  const elsewhere = { "server.py": tool("import redis"), "docs/redis.py": "class Redis: ...\n" };
  assertEquals((await missing(elsewhere)).map(({ construct }) => construct), [
    "socket (redis.Redis)",
  ]);
});

Deno.test("audit takes a package that Berth stands in for as there, and its connections as sockets", async () => {
  for (const name of ["asyncpg", "psycopg2"]) {
    const source = `import ${name}\n${HEAD}@mcp.tool()\ndef act():\n    ${name}.connect('x')\n`;
    const found = await missing({ "server.py": source });
    assertEquals(found.map(({ construct, hint }) => [construct, hint]), [
      [`socket (${name}.connect)`, "use requests or httpx"],
    ]);
  }
});

Deno.test("audit notes what functions import once, where that is surely imported when they are called", async () => {
  const found = await missing({
    "server.py": `import yaml
import json
from typing import TYPE_CHECKING
${HEAD}
@mcp.tool()
def charts(key: str):
    import altair.vegalite as alt
    from docx import Document
    return alt, Document
@mcp.tool()
def again(key: str):
    import altair
    import json
    try:
        import ujson
    except ImportError:
        ujson = None
    if TYPE_CHECKING:
        import stubs
    from . import helper
    return altair
def load(): return __import__("computed")
`,
    "tests/test_server.py": "def test():\n    import hypothesis\n",
  });
  assertEquals(
    found.map(({ construct, file, line, within }) => `${file}:${line} ${construct} ${within}`),
    [
      "server.py:9 package (altair) charts",
      "server.py:10 package (docx) charts",
      "server.py:15 package (json) again",
    ],
  );
});
