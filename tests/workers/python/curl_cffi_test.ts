import { assertEquals } from "@std/assert";
import { performHop } from "./host_http.ts";
import { startHttpCases } from "./http_server.ts";
import { Interpreter, refusal } from "./pyodide.ts";

const python = await Interpreter.boot();

Deno.test("the stand-in for curl_cffi sends requests, alone and in sessions of both kinds", async () => {
  const cases = startHttpCases();
  try {
    python.http = performHop;
    const found = await python.run(`
import asyncio
from curl_cffi import AsyncSession, requests
from curl_cffi.requests.exceptions import HTTPError, RequestException
base = "${cases.url}"
single = requests.get(base + "/echo", params={"a": "1"}, impersonate="chrome", http_version="v2")
session = requests.Session(impersonate="chrome131", headers={"X-Own": "2"}, base_url=base)
own = session.post("/echo", json={"b": 3}, referer="https://example.com/")
try:
    requests.Session(raise_for_status=True).get(base + "/status/404")
except HTTPError as error:
    refused = isinstance(error, RequestException) and error.response.status_code
async def later():
    async with AsyncSession(headers={"X-Own": "4"}) as session:
        return [(await getattr(session, each)(base + "/echo")).status_code
                for each in ("get", "post", "put", "patch", "delete", "head", "options")]
[single.json()["path"], own.json()["headers"].get("x-own"), own.json()["headers"].get("referer"),
 own.json()["body"], refused, asyncio.get_event_loop().run_until_complete(later())]
`);
    assertEquals(found, [
      "/echo?a=1",
      "2",
      "https://example.com/",
      '{"b": 3}',
      404,
      [200, 200, 200, 200, 200, 200, 200],
    ]);
  } finally {
    await cases.close();
  }
});

Deno.test("the stand-in for curl_cffi raises the library's errors, and has no handle of curl", async () => {
  const raised: unknown[] = [];
  for (const error of ["connect", "connect_timeout", "tls"]) {
    python.http = () => Promise.resolve([refusal(error, "no way there"), undefined]);
    raised.push(
      await python.run(`
from curl_cffi import requests
try:
    requests.get("https://example.com/")
except requests.RequestsError as error:
    kind = type(error).__name__
kind`),
    );
  }
  assertEquals(raised, ["ConnectionError", "ConnectTimeout", "SSLError"]);
  const said = await python.run(`
from curl_cffi import Curl, CurlError
try:
    Curl()
except CurlError as error:
    said = str(error)
said`);
  assertEquals(said, "curl is not available in the sandbox: use curl_cffi.requests");
});
