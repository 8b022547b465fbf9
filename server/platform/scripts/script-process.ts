import { type ChildProcess, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { NODE_FLAGS } from '#server/platform/processes/node-flags.ts'
import { SUPERVISED } from '#server/platform/processes/supervisor-link.ts'
import { type FromScript, fromScript, type ToScript } from './script-messages.ts'

/** How scripts are started: `node <program> <words…>`, which gets these settings from us and not from its environment. */
export type ScriptProgramPlace = {
  readonly program: string
  /** What stands before a script's own words: the command. */
  readonly command: readonly string[]
  readonly settings: Readonly<Record<string, string>>
}

export type ScriptEnd = { readonly code: number | null; readonly signal: NodeJS.Signals | null }

export type ScriptProcess = {
  readonly stdout: Readable
  readonly stderr: Readable
  send(message: ToScript): void
  /** Answers false where the script has not read what it was sent before. */
  writeLine(line: string): boolean
  /** To the script and to whatever it started. */
  kill(signal: 'SIGTERM' | 'SIGKILL'): void
  /** It has ended, nothing of its group is left, and all it told has been heard. Rejects where it could not be started. */
  readonly ended: Promise<ScriptEnd>
}

export type ScriptListener = {
  hear(message: FromScript): void
  /** What it told is no message: the two ends do not belong together. */
  fail(error: Error): void
}

/*
 * The watcher lives in the script's process group and reads a pipe whose other end only we hold. The system closes it
 * when we end, however that happens (kill -9), and the watcher then kills the group: a script that blocks its event loop
 * or has started programs of its own never outlives its worker. The script takes the shell's place, so that we see its
 * own exit code or signal. A program that leaves the group (setsid) is out of reach.
 */
const LIFELINE = `
(trap '' TERM INT HUP; exec 3<&- >/dev/null 2>&1 </dev/null; read -r _ <&4; kill -KILL 0) &
exec "$@" 4<&-
`

// Lines that a person sends and a script does not read; beyond it they are refused, since they wait in our memory.
const MOST_UNREAD_BYTES = 256 * 1024
// The channel's end comes a moment after the process's; a program that left the group could hold it for ever.
const LAST_WORDS_MS = 2_000

/** Starts a script as a process group of its own, without a shell reading a word of it: they are handed on as they are. */
export function startScript(
  { program, command, settings }: ScriptProgramPlace,
  words: readonly string[],
  listener: ScriptListener,
): ScriptProcess {
  const node = [process.execPath, ...process.execArgv, ...NODE_FLAGS, program]
  const child = spawn(
    '/bin/sh',
    ['-c', LIFELINE, 'script-watch', ...node, ...command, ...words, SUPERVISED],
    { detached: true, stdio: ['pipe', 'pipe', 'pipe', 'ipc', 'pipe'] },
  )
  const { stdin, stdout, stderr } = child as { stdin: Writable; stdout: Readable; stderr: Readable }
  const lifeline = child.stdio[4]
  // Written to after its end: nobody reads that any more.
  stdin.on('error', () => undefined)
  lifeline?.on('error', () => undefined)
  child.on('message', (message) => {
    const read = fromScript.safeParse(message)
    if (read.success) listener.hear(read.data)
    else listener.fail(new Error('The script told something that is not understood.'))
  })
  const kill = (signal: NodeJS.Signals) => killGroup(child, signal)
  const ended = endOf(child).then(async (end) => {
    kill('SIGKILL')
    await disconnected(child)
    lifeline?.destroy()
    stdin.destroy()
    return end
  })
  const send = (message: object) => {
    // It may have just died; its end is what counts.
    if (child.connected) child.send(message, () => undefined)
  }
  send(settings)
  return {
    stdout,
    stderr,
    send,
    kill,
    ended,
    writeLine: (line) => {
      if (stdin.writableLength > MOST_UNREAD_BYTES) return false
      stdin.write(`${line}\n`)
      return true
    },
  }
}

function endOf(child: ChildProcess): Promise<ScriptEnd> {
  return new Promise((resolve, reject) => {
    child.on('error', (error) => (child.pid === undefined ? reject(error) : undefined))
    child.once('exit', (code, signal) => resolve({ code, signal }))
  })
}

async function disconnected(child: ChildProcess): Promise<void> {
  if (!child.connected) return
  const timer = new AbortController()
  const heard = new Promise<void>((resolve) => child.once('disconnect', () => resolve()))
  await Promise.race([
    heard,
    sleep(LAST_WORDS_MS, undefined, { signal: timer.signal }).catch(() => undefined),
  ])
  timer.abort()
  if (child.connected) child.disconnect()
}

function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch {
    // Nobody of the group is left.
  }
}
