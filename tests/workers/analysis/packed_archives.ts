/**
 * Archives for tests: of each kind one that holds `d/config.py` with the line of {@link TOKEN}.
 *
 * @module
 */
import { crc32 } from "node:zlib";

/** A made-up token, of parts, so that scanners of this repository do not stop at it. */
export const TOKEN = ["ghp", "_w32iijok3nps2rkafmv9gsqr2wthi2vvz44p"].join("");

const of = (base64: string) => Uint8Array.fromBase64(base64);

/** By file name. Those that end in `.tar.…` hold a tar archive, `e.7z` is encrypted with its names. */
export const PACKED: Record<string, Uint8Array> = {
  "d.tar.bz2": of(
    "QlpoOTFBWSZTWf4WYMcAAJv7hcqQAEBQAf+iAgH/+/+wAACCAAAIMAC5IaqeUfqmZQ9J6gaaeiekyDEPNU9QwGjI" +
      "aDCAaAaaAAElT0Qj1MTTQA0DQDQDS094MU7y5ICEohIfTVLAIiZ8ZIFBEJAwsLDjwZ3Ha2PlYNCACr2XxaXsRaik" +
      "YcPautiTz1qUI6RlzUaxnbOQaGBiKJg9JqSPVKQx4PtKRWZVWlgu1EIUzkj89BRTYazmAIB2tsO+8SbUIh3Bw2AK" +
      "HnkdH4unsjaZ1AkH8XckU4UJD+FmDHA=",
  ),
  "config.py.bz2": of(
    "QlpoOTFBWSZTWfq2XbgAAAtbgAAQUAAcIgAAs/v/kCAAUKAAAAAGPSaPU00aabUyZo9UYaT1Osq4oIByP2Bex8QV" +
      "K1JNLCEq/X4m+1hCfaxw4HdrGfi7kinChIfVsu3A",
  ),
  "d.tar.xz": of(
    "/Td6WFoAAATm1rRGAgAhARYAAAB0L+Wj4Cf/ALddADILvBunjDRE4cIHdekACY2x9Z5QZqKVFGlh4TgAWMw7wIr7" +
      "9Q7Ky+6QAY73nJM3ckuzUiZTVs9q3DFU4wpg6g38BtjqAL4TRGJk3zfyngO3Ao9r1ADYpLKAc1fBEKCnUlhj/eM3" +
      "tmdOX5V3OoZwTsA3COGwD5mzGSs7FBGAQ5iKgCnXu+YAZlQZoD0r6c7+GGYAHaScsisdUZbufL0aiqevMBmhlr6B" +
      "lgWP+n/OdQY4UhKqJ/n3AAAATE65krilOn0AAdMBgFAAAGcLeuuxxGf7AgAAAAAEWVo=",
  ),
  "config.py.xz": of(
    "/Td6WFoAAATm1rRGAgAhARYAAAB0L+WjAQA5Z2l0aHViX3Rva2VuID0gImdocF93MzJpaWpvazNucHMycmthZm12" +
      "OWdzcXIyd3RoaTJ2dno0NHAiCgAAAFhUt0B+M7ulAAFSOk9TB24ftvN9AQAAAAAEWVo=",
  ),
  "d.tar.zst": of(
    "KLUv/WQAJ90EADLIGxxQqeoDkDWuLT+ZWm1QzMxYoWNlUzaNhmTms6HLACMytpAkfs2cWCYgJ5AQjOJIhuKzHHh4" +
      "j9eUxMYZO9jH4MCZEKJmPvfVc1OMMNZUEQPuMQ8sHItOCKXuSmVCkfYq/1fXbmy9+auV/u9G/l+PJQ8AmSPHAw0g" +
      "CAZUAzo8QGzIFwsKTEkDFAyFAyD8AcgGKwA4Vi7jExgC10zAtw==",
  ),
  "d.7z": of(
    "N3q8ryccAAQpzYfzmwAAAAAAAAAgAAAAAAAAAByGqtUBADlnaXRodWJfdG9rZW4gPSAiZ2hwX3czMmlpam9rM25w" +
      "czJya2FmbXY5Z3NxcjJ3dGhpMnZ2ejQ0cCIKAAAAgTMHrg/R1LcIoJCgd17FQBiP6W1m5o+jfdObkoiFbBF2kXrD" +
      "/mAzgdxEeT7Rz+CdOz7Hio78/xkNe7DL44KL+8+s7R28Df8gVlj83cFc4PaSiaKHd8p2BgAAABcGPgEJXQAHCwEA" +
      "ASMDAQEFXQAQAAAMbgoBM+gZ/QAA",
  ),
  "e.7z": of(
    "N3q8ryccAARM0BaxwAAAAAAAAAA8AAAAAAAAAM4zs50pxMN7qLXx1RUCU/2CL/zm3C2NXb6GX7eTtW//LP6PiH7r" +
      "mook8nw3dfQbcdXIJqYHmmxJ/ISS9ytshGPhxmVEsnNa/K2/jqd6ClSRMN8kA9is8eFYL+ORWYTEHKbbzmLEbCDs" +
      "jyQtHLd3nBzQCEPNwp+WAC9040WtxJXhjpdOxlySl2b5zMyi238Et95sICoN2Cb+/VhznADu0pM9cynZNpx5eIQ/" +
      "yR2JYjTYwp3Xrywy9w8BPUbfzol+p4asV/sXBkABCYCAAAcLAQACJAbxBwESUw8s5yDWj8mo2mUpy5tNM8JQIwMB" +
      "AQVdABAAAAEADHZ+CgFo5k4SAAA=",
  ),
};

/** A number in RAR's variable length: seven bits a byte, the lowest first. */
function vint(value: number): number[] {
  const bytes: number[] = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push(value % 128 + 128);
  return [...bytes, value];
}

function checksum(bytes: ArrayLike<number>): number[] {
  const sum = crc32(Uint8Array.from(bytes));
  return [0, 8, 16, 24].map((bits) => sum >>> bits & 0xff);
}

function block(fields: readonly number[], data: Uint8Array = new Uint8Array()): number[] {
  const header = [...vint(fields.length), ...fields];
  return [...checksum(header), ...header, ...data];
}

/** A RAR archive (version 5) of one file that is stored as it is. */
export function rarOf(name: string, content: Uint8Array): Uint8Array {
  const path = new TextEncoder().encode(name);
  const size = vint(content.length);
  const about = [...vint(0o100644), ...checksum(content), 0, 1, ...vint(path.length)];
  const file = [2, 2, ...size, 4, ...size, ...about, ...path];
  return Uint8Array.from([
    ...[0x52, 0x61, 0x72, 0x21, 0x1a, 0x07, 0x01, 0x00],
    ...block([1, 0, 0]),
    ...block(file, content),
    ...block([5, 0, 0]),
  ]);
}
