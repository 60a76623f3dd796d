/**
 * How setup shows its progress: on a terminal one line that is written over, else a plain line now
 * and then.
 *
 * @module
 */

/** What setup tells, on standard error. */
export interface SetupProgress {
  log(line: string): void;
  progress(done: number, of: number): void;
}

const BAR = 24;
/** Plain lines come at each quarter. */
const QUARTERS = 4;

/** @param write Takes what is to be written, line ends included. */
export function setupProgress(
  { write, terminal }: { write: (text: string) => void; terminal: boolean },
): SetupProgress {
  let open = false;
  let quarter = 0;

  function close(): void {
    if (open) write("\r\x1b[K");
    open = false;
  }

  return {
    log(line) {
      close();
      quarter = 0;
      write(`setup: ${line}\n`);
    },
    progress(done, of) {
      if (terminal) {
        const filled = Math.round((done / of) * BAR);
        const bar = "█".repeat(filled) + "░".repeat(BAR - filled);
        write(`\r\x1b[Ksetup: ${bar} ${done} of ${of} packages`);
        open = true;
        return;
      }
      const reached = Math.floor((done / of) * QUARTERS);
      if (reached > quarter) write(`setup: ${done} of ${of} packages\n`);
      quarter = Math.max(quarter, reached);
    },
  };
}
