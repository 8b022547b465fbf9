import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

export type Process = { readonly pid: number; readonly parent: number; readonly command: string }

/**
 * What runs for a data folder: named in the command line, in the environment (DATA_DIR), or working inside of it, as
 * every process of PostgreSQL does. Processes that only wait to be collected by their parent do not count.
 */
export function processesOf(dataDir: string): Process[] {
  const all = existsSync('/proc/self/stat') ? listByProc(dataDir) : listByPs(dataDir)
  return all.filter(({ pid }) => pid !== process.pid)
}

/** Every process below this one. */
export function descendantsOf(pid: number): Process[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)) ?? [])
  const found: Process[] = []
  let level = new Set([pid])
  while (level.size > 0) {
    const below = all.filter(({ parent }) => level.has(parent))
    found.push(...below)
    level = new Set(below.map((one) => one.pid))
  }
  return found
}

/** Waits until nothing runs for the data folder; answers what still does when the time is over. */
export async function whatIsLeft(dataDir: string, withinMs: number): Promise<string[]> {
  const deadline = Date.now() + withinMs
  for (;;) {
    const left = processesOf(dataDir)
    if (left.length === 0 || Date.now() > deadline) return left.map(({ pid, command }) => `${pid} ${command}`)
    await sleep(50)
  }
}

function listByProc(dataDir: string): Process[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)) ?? [])
    .filter(({ pid, command }) => command.includes(dataDir) || belongs(pid, dataDir))
}

function belongs(pid: number, dataDir: string): boolean {
  try {
    if (readlinkSync(`/proc/${pid}/cwd`).startsWith(dataDir)) return true
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`DATA_DIR=${dataDir}`)
  } catch {
    return false
  }
}

function readProcess(pid: number): Process | undefined {
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
    // The name in brackets may itself hold brackets and spaces; state and parent come after the last one.
    const [, parent] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return command === '' ? undefined : { pid, parent: Number(parent), command }
  } catch {
    return undefined
  }
}

function listByPs(dataDir: string): Process[] {
  const { stdout } = spawnSync('ps', ['axeww', '-o', 'pid=,ppid=,command='], { encoding: 'utf8' })
  return stdout
    .split('\n')
    .filter((line) => line.includes(dataDir))
    .map((line) => {
      const [pid, parent, ...command] = line.trim().split(/\s+/)
      return { pid: Number(pid), parent: Number(parent), command: command.join(' ').slice(0, 200) }
    })
}
