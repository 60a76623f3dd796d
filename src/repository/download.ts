/**
 * Downloading the archive of a commit, bounded in size and time.
 *
 * @module
 */
import { concat } from "../bytes.ts";
import { AppError } from "../errors.ts";
import { ABSENT } from "./hosts/answers.ts";
import type { CodeHost, FoundRepository, OpenedArchive } from "./hosts/code_host.ts";
import { codeHostFailure, httpFailureOf, limitedFor } from "./failed_requests.ts";
import { archiveRefused, codeHostUnavailable, repositoryMissing } from "./failures.ts";
import { DOWNLOAD_TIMEOUT_MS, MAX_ARCHIVE_BYTES } from "./fetch_limits.ts";

async function readBounded(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > MAX_ARCHIVE_BYTES) {
      throw archiveRefused(`it is larger than ${MAX_ARCHIVE_BYTES} bytes`);
    }
    chunks.push(chunk);
  }
  return concat(chunks);
}

async function checkedBody(host: string, answer: OpenedArchive): Promise<Uint8Array> {
  if (!(answer.data instanceof ReadableStream)) {
    throw codeHostUnavailable(`${host} returned no archive`);
  }
  const type = String(answer.headers["content-type"] ?? "");
  if (/^text\/html\b/i.test(type)) {
    // Sign-in pages of firewalls and proxies come with status 200.
    await answer.data.cancel();
    throw codeHostUnavailable(`${host} returned a web page instead of the archive`);
  }
  const bytes = await readBounded(answer.data).catch((error) => {
    if (error instanceof AppError) throw error;
    throw codeHostUnavailable(`The download of the archive from ${host} was interrupted`, {
      cause: error,
    });
  });
  const announced = answer.headers["content-length"];
  const encoded = answer.headers["content-encoding"] !== undefined;
  if (announced !== undefined && !encoded && Number(announced) !== bytes.length) {
    throw codeHostUnavailable(`The archive from ${host} was incomplete`);
  }
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) {
    throw codeHostUnavailable(`${host} returned something that is not an archive`);
  }
  return bytes;
}

/**
 * The tar.gz of `commit`, exactly as the code host sends it.
 *
 * @throws {AppError} `repository_refused` when it is too large or gone, `unavailable` when the
 * code host fails, breaks off or sends something else.
 */
export async function downloadArchive(
  host: CodeHost,
  repository: FoundRepository,
  commit: string,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  const deadline = AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS);
  const both = signal === undefined ? deadline : AbortSignal.any([signal, deadline]);
  try {
    return await checkedBody(host.host, await host.openArchive(repository, commit, both));
  } catch (error) {
    signal?.throwIfAborted();
    const failure = httpFailureOf(error);
    if (
      failure !== null && ABSENT.includes(failure.status) &&
      limitedFor(failure, host.now()) === null
    ) throw repositoryMissing(host.host, `${repository.owner}/${repository.name}`);
    throw codeHostFailure(error, { host: host.host, now: host.now() });
  }
}
