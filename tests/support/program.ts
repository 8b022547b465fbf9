import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

export type Program = {
  readonly child: ChildProcess
  /** All it printed so far. */
  output(): string
  /** Resolves with its address when it says that it is ready; rejects with its words when it ends before. */
  readonly ready: Promise<string>
  /** Resolves when it ended, with its exit code or the signal that killed it. */
  readonly ended: Promise<number | NodeJS.Signals>
}

export type ProgramOptions = {
  readonly args?: readonly string[]
  readonly settings: Readonly<Record<string, string>>
  /** Through npm, as a person does it: bootstrap first, and npm as the parent. */
  readonly npm?: boolean
}

/** Starts the program as it is started for people: own processes, nothing of the test runner's settings. */
export function startProgram({ args = ['start'], settings, npm = false }: ProgramOptions): Program {
  const { PATH, HOME, npm_config_cache } = process.env
  const command = npm
    ? ['npm', '--silent', ...args]
    : [process.execPath, join(ROOT, 'server/main.ts'), ...args]
  const child = spawn(command[0] ?? '', command.slice(1), {
    cwd: ROOT,
    env: { PATH, HOME, ...(npm_config_cache && { npm_config_cache }), ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const ended = once(child, 'close').then(
    ([code, signal]: (number | NodeJS.Signals)[]) => code ?? signal ?? 0,
  )
  const ready = new Promise<string>((resolve, reject) => {
    const read = (data: Buffer) => {
      output += data
      const address = /is ready: (\S+)/.exec(output)?.[1]
      if (address) resolve(address)
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    void ended.then((how) => reject(new Error(`It ended (${how}) before it was ready:\n${output}`)))
  })
  // Tests of refusals only look at how it ended.
  ready.catch(() => undefined)
  return { child, output: () => output, ready, ended }
}
