/**
 * A store of objects on loopback that speaks S3's API as far as Berth uses it, and checks signatures
 * (AWS Signature Version 4) and digests as the real ones do.
 *
 * @module
 */
import { createHash, createHmac } from "node:crypto";

export interface S3Server {
  /** Address of its bucket. */
  url: string;
  objects: Map<string, Uint8Array>;
  /** How it answers from now on: 503 while it is down. */
  isDown: boolean;
  close(): Promise<void>;
}

export const S3_KEYS = { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "a/secret+key" };
const REGION = "eu-test-1";

function hmac(key: string | Uint8Array, text: string): Uint8Array {
  return createHmac("sha256", key).update(text).digest();
}

function sha256(bytes: string | Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Whether the request is signed with the store's keys. */
function isSigned(request: Request): boolean {
  const header = request.headers.get("authorization") ?? "";
  const found =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([\w;-]+), Signature=([0-9a-f]{64})$/
      .exec(header);
  if (found === null) return false;
  const [, id, day, region, names, signature] = found;
  const date = request.headers.get("x-amz-date") ?? "";
  if (id !== S3_KEYS.accessKeyId || region !== REGION || !date.startsWith(day!)) return false;
  const { pathname } = new URL(request.url);
  const headers = names!.split(";").map((name) => `${name}:${request.headers.get(name)}\n`);
  const payload = request.headers.get("x-amz-content-sha256") ?? "";
  const canonical = [request.method, pathname, "", headers.join(""), names, payload].join("\n");
  const scope = `${day}/${region}/s3/aws4_request`;
  const signed = ["AWS4-HMAC-SHA256", date, scope, sha256(canonical)].join("\n");
  const key = [region!, "s3", "aws4_request"].reduce<Uint8Array>(
    (made, part) => hmac(made, part),
    hmac(`AWS4${S3_KEYS.secretAccessKey}`, day!),
  );
  return new Uint8Array(hmac(key, signed)).toHex() === signature;
}

/** Starts a store with one bucket. */
export function startS3Server(): S3Server {
  const objects = new Map<string, Uint8Array>();
  const state = { isDown: false };
  const options = { hostname: "127.0.0.1", port: 0, onListen() {} };
  const server = Deno.serve(options, async (request) => {
    const body = await request.bytes();
    if (state.isDown) return new Response("<Error>SlowDown</Error>", { status: 503 });
    if (!isSigned(request)) {
      return new Response("<Error>SignatureDoesNotMatch</Error>", { status: 403 });
    }
    const key = new URL(request.url).pathname;
    if (!key.startsWith("/bucket/berth/")) return new Response("", { status: 404 });
    if (request.method === "PUT") {
      if (request.headers.get("x-amz-content-sha256") !== sha256(body)) {
        return new Response("<Error>XAmzContentSHA256Mismatch</Error>", { status: 400 });
      }
      objects.set(key, body);
      return new Response(null, { status: 200 });
    }
    if (request.method === "DELETE") {
      objects.delete(key);
      return new Response(null, { status: 204 });
    }
    const found = objects.get(key);
    return found === undefined
      ? new Response("<Error>NoSuchKey</Error>", { status: 404 })
      : new Response(found as Uint8Array<ArrayBuffer>);
  });
  return Object.assign(state, {
    url: `http://127.0.0.1:${server.addr.port}/bucket/berth`,
    objects,
    close: () => server.shutdown(),
  });
}

/** What a client of the store needs. */
export function s3Settings(server: S3Server) {
  return { url: server.url, region: REGION, ...S3_KEYS };
}
