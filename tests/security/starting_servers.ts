/**
 * Servers that start programs.
 *
 * @module
 */

/** What most of them import. */
const IMPORTS = `import asyncio, ctypes, httpx, importlib, json, os, requests, runpy, shlex, shutil
import subprocess, sys, tempfile, urllib.request
from pathlib import Path
from mcp.server.fastmcp import FastMCP
mcp = FastMCP("s")
`;

/** A server whose module has this body, with the function `t` as its tool. */
export function startingServer(body: string): string {
  const tool = body.replace(/^(async )?def t\(/m, "@mcp.tool()\n$1def t(");
  return `${IMPORTS}${tool}\nmcp.run()\n`;
}
