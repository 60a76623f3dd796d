/**
 * Starting an analysis process before anybody has tried out which walls there are: that takes as long
 * as a third of a small scan, and on most machines there are all.
 *
 * @module
 */
import { type HostListener, type HostProcess, type HostSettings, startHost } from "./process.ts";

/**
 * A process with these settings. Should it end before it says anything, as one does whose walls
 * cannot be raised, another takes its place, with the settings that `tried` gives, and is sent the
 * same.
 */
export function startUntried(first: HostSettings, tried: () => Promise<HostSettings>): HostProcess {
  let host = startHost(first);
  let listener: HostListener | null = null;
  let waiting: Parameters<HostProcess["send"]>[] | null = [];
  let isKilled = false;
  let isOver = false;
  let replacing: Promise<void> | null = null;

  function follow(onSilentEnd: (detail: string) => void): void {
    host.listen({
      onReply(reply) {
        // It runs: nothing has to be sent again.
        waiting = null;
        listener?.onReply(reply);
      },
      onEnd(detail) {
        if (waiting !== null && !isKilled) onSilentEnd(detail);
        else end(detail);
      },
    });
  }
  function end(detail: string): void {
    const last = listener;
    listener = null;
    isOver = true;
    last?.onEnd(detail);
  }
  async function replace(): Promise<void> {
    const settings = await tried();
    if (isKilled) return end("ended before it began");
    host = startHost(settings);
    follow(end);
    replacing = null;
    for (const message of waiting ?? []) host.send(...message);
  }

  follow(() => {
    replacing = replace().catch((error) => end(String(error))).finally(() => replacing = null);
  });
  return {
    get pid() {
      return host.pid;
    },
    get alive() {
      // One that ended in silence is about to be replaced.
      return waiting === null ? host.alive : !isOver;
    },
    send(request, body) {
      waiting?.push([request, body]);
      if (replacing === null) host.send(request, body);
    },
    listen(next) {
      listener = next;
    },
    async kill() {
      isKilled = true;
      await replacing;
      await host.kill();
      isOver = true;
    },
    trim: () => host.trim(),
    memory: () => host.memory(),
  };
}
