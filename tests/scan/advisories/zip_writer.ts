/** Zip files for tests: one stored entry, the others deflated. */
import { deflateRawSync } from "node:zlib";

/** A zip file with these entries. */
export function zipOf(entries: readonly (readonly [string, string | Uint8Array])[]): Uint8Array {
  const encoder = new TextEncoder();
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  entries.forEach(([name, body], index) => {
    const method = index === 0 ? 0 : 8;
    const raw = typeof body === "string" ? encoder.encode(body) : body;
    const content = method === 0 ? raw : new Uint8Array(deflateRawSync(raw));
    const path = encoder.encode(name);
    const local = new DataView(new ArrayBuffer(30));
    local.setUint32(0, 0x04034b50, true);
    local.setUint16(8, method, true);
    local.setUint32(18, content.length, true);
    local.setUint32(22, raw.length, true);
    local.setUint16(26, path.length, true);
    const central = new DataView(new ArrayBuffer(46));
    central.setUint32(0, 0x02014b50, true);
    central.setUint16(10, method, true);
    central.setUint32(20, content.length, true);
    central.setUint32(24, raw.length, true);
    central.setUint16(28, path.length, true);
    central.setUint32(42, offset, true);
    directory.push(new Uint8Array(central.buffer), path);
    parts.push(new Uint8Array(local.buffer), path, content);
    offset += 30 + path.length + content.length;
  });
  const end = new DataView(new ArrayBuffer(22));
  end.setUint32(0, 0x06054b50, true);
  end.setUint16(8, entries.length, true);
  end.setUint16(10, entries.length, true);
  end.setUint32(12, directory.reduce((sum, { length }) => sum + length, 0), true);
  end.setUint32(16, offset, true);
  const all = [...parts, ...directory, new Uint8Array(end.buffer)];
  const whole = new Uint8Array(all.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of all) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
