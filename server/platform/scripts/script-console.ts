import { Console } from 'node:console'
import { writeSync } from 'node:fs'
import { Writable } from 'node:stream'

// Somebody made the pipe non-blocking and it is full: its reader needs a moment.
const AGAIN_MS = 5

/**
 * Makes `console` write at once. Node's own keeps in memory what the reader has not taken yet (a script that prints faster
 * than lines are stored would need 300 MB for 50 MB of them) and loses it when the process ends.
 */
export function writeConsoleAtOnce(): void {
  globalThis.console = new Console({ stdout: writerTo(1), stderr: writerTo(2) })
}

function writerTo(descriptor: 1 | 2): Writable {
  return new Writable({
    decodeStrings: true,
    write: (chunk: Buffer, _encoding, done) => {
      writeAll(descriptor, chunk)
      done()
    },
  })
}

function writeAll(descriptor: number, bytes: Buffer): void {
  let written = 0
  while (written < bytes.length) {
    try {
      written += writeSync(descriptor, bytes, written)
    } catch (error) {
      if (!isFull(error)) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, AGAIN_MS)
    }
  }
}

function isFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EAGAIN'
}
