/**
 * When the demo can be used: Berth listens at once, and answers 503 until its database is made.
 *
 * @module
 */

const PAUSE_MS = 200;

/** Whether Berth at `url` says that it is ready. */
export async function isReady(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/readyz`);
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}

/** Waits until all of `urls` are ready. @returns Whether they are: false when `ended` came first. */
export async function whenReady(urls: string[], ended: Promise<unknown>): Promise<boolean> {
  let hasEnded = false;
  const end = ended.then(() => {
    hasEnded = true;
  });
  for (;;) {
    const answers = await Promise.all(urls.map(isReady));
    if (answers.every(Boolean)) return true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    await Promise.race([end, new Promise((resolve) => timer = setTimeout(resolve, PAUSE_MS))]);
    clearTimeout(timer);
    if (hasEnded) return false;
  }
}
