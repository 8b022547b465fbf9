/** Reads of the same thing by many at the same time. */
export type SharedReads = <T>(key: string, read: () => Promise<T>) => Promise<T>

type Run = { ended: Promise<unknown>; next: Promise<unknown> | undefined }

/**
 * Whoever asks while a read of the same key runs waits for it and then shares the next one with all others who wait.
 * That one begins after they asked, so nobody is answered with what was true before; and a page that everybody looks
 * at is read once at a time, not once a visitor. A key must always stand for the same type.
 */
export function openSharedReads(): SharedReads {
  const runs = new Map<string, Run>()
  const start = <T>(key: string, read: () => Promise<T>): Promise<T> => {
    const reading = read()
    const run: Run = { ended: reading.catch(() => undefined), next: undefined }
    runs.set(key, run)
    void run.ended.then(() => {
      if (run.next === undefined) runs.delete(key)
    })
    return reading
  }
  return <T>(key: string, read: () => Promise<T>): Promise<T> => {
    const run = runs.get(key)
    if (!run) return start(key, read)
    run.next ??= run.ended.then(() => start(key, read))
    return run.next as Promise<T>
  }
}
