/**
 * A package index on loopback, and wheels made for it.
 *
 * @module
 */
import { crc32, deflateRawSync, gzipSync } from "node:zlib";
import { concat, sha256Of } from "../../src/bytes.ts";

/** A package of an index. */
export interface TestPackage {
  name: string;
  version: string;
  /** Contents by path; what a wheel must have beside is added. */
  files?: Record<string, string | Uint8Array>;
  requires?: string[];
  extras?: string[];
  /** Tags of its file name; for any interpreter by default. */
  tag?: string;
  /** A text is the reason. */
  yanked?: boolean | string;
  /** When the index got it; by default it does not say. */
  uploaded?: string;
  python?: string;
  /** Only a source distribution, of `files`; without any, of code that has to be compiled. */
  sdist?: boolean;
}

const encoder = new TextEncoder();

function u16(value: number): number[] {
  return [value & 0xff, (value >>> 8) & 0xff];
}

function u32(value: number): number[] {
  return [...u16(value & 0xffff), ...u16(value >>> 16)];
}

/** One entry of a zip file; `size` states another one than it has. */
export interface ZipFile {
  path: string;
  content: Uint8Array;
  size?: number;
  mode?: number;
}

/** A zip file. */
export function zipOf(files: readonly ZipFile[]): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let at = 0;
  for (const { path, content, size = content.length, mode = 0o100644 } of files) {
    const name = encoder.encode(path);
    const packed = new Uint8Array(deflateRawSync(content));
    const facts = [
      ...u16(20),
      ...u16(0),
      ...u16(8),
      ...u32(0),
      ...u32(crc32(content)),
      ...u32(packed.length),
      ...u32(size),
      ...u16(name.length),
      ...u16(0),
    ];
    const local = concat([new Uint8Array([0x50, 0x4b, 3, 4, ...facts]), name, packed]);
    const rest = [...u16(0), ...u16(0), ...u16(0), ...u32(mode << 16 >>> 0), ...u32(at)];
    directory.push(
      concat([new Uint8Array([0x50, 0x4b, 1, 2, ...u16(20), ...facts, ...rest]), name]),
    );
    parts.push(local);
    at += local.length;
  }
  const list = concat(directory);
  const count = u16(files.length);
  const end = [0x50, 0x4b, 5, 6, 0, 0, 0, 0, ...count, ...count, ...u32(list.length), ...u32(at)];
  return concat([...parts, list, new Uint8Array([...end, 0, 0])]);
}

/** The metadata of a package. */
export function metadataOf({ name, version, requires = [], extras = [] }: TestPackage): string {
  return [
    "Metadata-Version: 2.1",
    `Name: ${name}`,
    `Version: ${version}`,
    ...extras.map((extra) => `Provides-Extra: ${extra}`),
    ...requires.map((line) => `Requires-Dist: ${line}`),
    "",
    "A description",
  ].join("\n");
}

/** The wheel of a package. */
export function wheelOf(given: TestPackage): Uint8Array<ArrayBuffer> {
  const { name, version, files = {} } = given;
  const info = `${name.replaceAll("-", "_")}-${version}.dist-info`;
  return zipOf([
    ...Object.entries(files).map(([path, content]) => ({
      path,
      content: typeof content === "string" ? encoder.encode(content) : content,
    })),
    { path: `${info}/METADATA`, content: encoder.encode(metadataOf(given)) },
    { path: `${info}/WHEEL`, content: encoder.encode("Wheel-Version: 1.0\n") },
    { path: `${info}/RECORD`, content: new Uint8Array() },
  ]);
}

/** A tar.gz of these files. */
export function tarOf(files: Record<string, string | Uint8Array>): Uint8Array<ArrayBuffer> {
  const blocks = Object.entries(files).flatMap(([path, content]) => {
    const bytes = typeof content === "string" ? encoder.encode(content) : content;
    const head = new Uint8Array(512);
    head.set(encoder.encode(path));
    head.set(encoder.encode(`${bytes.length.toString(8).padStart(11, "0")} `), 124);
    head[156] = "0".charCodeAt(0);
    return [head, bytes, new Uint8Array((512 - bytes.length % 512) % 512)];
  });
  return new Uint8Array(gzipSync(concat([...blocks, new Uint8Array(1024)])));
}

/** The source distribution of a package. */
export function sourceOf(given: TestPackage): Uint8Array<ArrayBuffer> {
  const { name, version, files = { "module.c": "" } } = given;
  const folder = `${name}-${version}`;
  const all = { "PKG-INFO": metadataOf(given), ...files };
  return tarOf(
    Object.fromEntries(
      Object.entries(all).map(([path, content]) => [`${folder}/${path}`, content]),
    ),
  );
}

/** A running index. */
export interface TestIndex extends AsyncDisposable {
  url: string;
  /** Paths that were asked for, in order. */
  asked: string[];
  /** Digest of the wheel of a package. */
  digests: Record<string, string>;
}

/** Answers of an index in place of its own; undefined leaves it to that. */
export type Override = (path: string, request: Request) =>
  | Response
  | Promise<Response>
  | undefined;

async function listed(given: TestPackage, url: string) {
  const { name, version, tag = "py3-none-any", yanked = false, python, uploaded, sdist = false } =
    given;
  const stem = `${name.replaceAll("-", "_")}-${version}`;
  const filename = sdist ? `${stem}.tar.gz` : `${stem}-${tag}.whl`;
  const bytes = sdist ? sourceOf(given) : wheelOf(given);
  const metadata = encoder.encode(metadataOf(given));
  const entry = {
    filename,
    url: `${url}/files/${filename}`,
    hashes: { sha256: await sha256Of(bytes) },
    size: bytes.length,
    yanked,
    ...(uploaded === undefined ? {} : { "upload-time": uploaded }),
    ...(python === undefined ? {} : { "requires-python": python }),
    ...(sdist ? {} : { "core-metadata": { sha256: await sha256Of(metadata) } }),
  };
  return { entry, bytes, metadata };
}

/** Starts an index of these packages. */
export async function startIndex(
  packages: readonly TestPackage[],
  override: Override = () => undefined,
): Promise<TestIndex> {
  const pages = new Map<string, unknown[]>();
  const files = new Map<string, Uint8Array<ArrayBuffer>>();
  const asked: string[] = [];
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    async (request) => {
      const { pathname } = new URL(request.url);
      asked.push(pathname);
      const other = await override(pathname, request);
      if (other !== undefined) return other;
      const file = files.get(pathname);
      if (file !== undefined) return new Response(file);
      const page = pages.get(pathname);
      if (page === undefined) return new Response("nothing here", { status: 404 });
      const body = { meta: { "api-version": "1.1" }, name: pathname, files: page };
      return Response.json(body, {
        headers: { "content-type": "application/vnd.pypi.simple.v1+json" },
      });
    },
  );
  const url = `http://127.0.0.1:${server.addr.port}`;
  const digests: Record<string, string> = {};
  for (const given of packages) {
    const { entry, bytes, metadata } = await listed(given, url);
    const path = `/simple/${given.name}/`;
    pages.set(path, [...pages.get(path) ?? [], entry]);
    files.set(new URL(entry.url).pathname, bytes);
    files.set(`${new URL(entry.url).pathname}.metadata`, metadata);
    digests[`${given.name} ${given.version}`] = entry.hashes.sha256;
  }
  return {
    url: `${url}/simple`,
    asked,
    digests,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}
