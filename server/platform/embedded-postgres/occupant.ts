import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** The PostgreSQL server that runs on a data folder, as its postmaster.pid tells. */
export type Occupant = {
  readonly pid: number
  readonly port: number
  /** It answers; otherwise it is just starting or stopping. */
  readonly ready: boolean
}

// Lines of postmaster.pid.
const PID = 0
const PORT = 3
const STATUS = 7

export function findOccupant(dataDir: string): Occupant | undefined {
  const lines = readLines(lockFile(dataDir))
  const pid = Number(lines[PID])
  if (!isProcess(pid) || !isServerOf(pid, dataDir)) return undefined
  return { pid, port: Number(lines[PORT]), ready: lines[STATUS]?.trim() === 'ready' }
}

/**
 * PostgreSQL itself takes over the lock of a dead process. But after a reboot the number may belong to another program
 * of the same user, or be one that nobody collects, and it would refuse for ever: only then is the file removed.
 * Processes that a kill left over are still found by PostgreSQL, through the shared memory they hold.
 */
export function removeForeignLock(dataDir: string): void {
  const pid = Number(readLines(lockFile(dataDir))[PID])
  if (isProcess(pid) && !isServerOf(pid, dataDir)) rmSync(lockFile(dataDir), { force: true })
}

function lockFile(dataDir: string): string {
  return join(dataDir, 'postmaster.pid')
}

function readLines(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n')
  } catch {
    return []
  }
}

function isProcess(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

function isServerOf(pid: number, dataDir: string): boolean {
  return commandLine(pid).includes(`-D ${dataDir} `)
}

/** The words of a process with spaces between; empty for one that only waits to be collected. */
function commandLine(pid: number): string {
  if (existsSync('/proc/self/cmdline')) {
    return readLines(`/proc/${pid}/cmdline`).join('\n').replaceAll('\0', ' ')
  }
  return spawnSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? ''
}
