import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isMissingFile } from '#server/platform/files/file-store.ts'
import { removeCopiesBefore } from './file-copies.ts'

/** The archive of a backup in a folder of backups. */
type KeptBackup = { readonly path: string; readonly madeAt: Date; readonly bytes: number }

const NAME = /^partharbor-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z\.backup$/

/** `partharbor-2026-11-23T02-30-00-000Z.backup`: names sort by time, on every file system. */
export const archiveName = (madeAt: Date): string =>
  `partharbor-${madeAt.toISOString().replaceAll(/[:.]/g, '-')}.backup`

/** Whole archives, the newest first. */
export async function listBackups(dir: string): Promise<KeptBackup[]> {
  const names = await readdir(dir).catch((error: unknown) => {
    if (isMissingFile(error)) return []
    throw error
  })
  const found = names
    .toSorted()
    .reverse()
    .flatMap((name) => {
      const [, day, hour, minute, second, ms] = NAME.exec(name) ?? []
      return day
        ? [{ path: join(dir, name), madeAt: new Date(`${day}T${hour}:${minute}:${second}.${ms}Z`) }]
        : []
    })
  return Promise.all(found.map(async (backup) => ({ ...backup, bytes: (await stat(backup.path)).size })))
}

/** How many days and weeks keep their newest backup; days and weeks without one do not count. */
export type KeepRule = { readonly daily: number; readonly weekly: number }

const DAY_MS = 86_400_000
const dayOf = (at: Date) => Math.floor(at.getTime() / DAY_MS)
// 1 January 1970 was a Thursday: weeks begin on Mondays.
const weekOf = (at: Date) => Math.floor((dayOf(at) + 3) / 7)

/** Those that the rule does not keep. The newest always stays. */
export function expiredBackups<Backup extends { madeAt: Date }>(
  newestFirst: readonly Backup[],
  { daily, weekly }: KeepRule,
): Backup[] {
  const newestOf = (period: (at: Date) => number, most: number) => {
    const periods = Map.groupBy(newestFirst, ({ madeAt }) => period(madeAt))
    return [...periods.values()].slice(0, most).flatMap(([newest]) => newest ?? [])
  }
  const kept = new Set([...newestFirst.slice(0, 1), ...newestOf(dayOf, daily), ...newestOf(weekOf, weekly)])
  return newestFirst.filter((backup) => !kept.has(backup))
}

/** Deletes expired archives and the copies of files that only they had. */
export async function removeExpired(
  dir: string,
  rule: KeepRule,
): Promise<{ archives: number; copies: number }> {
  const expired = expiredBackups(await listBackups(dir), rule)
  for (const { path } of expired) await rm(path)
  const oldest = (await listBackups(dir)).at(-1)
  return { archives: expired.length, copies: oldest ? await removeCopiesBefore(dir, oldest.madeAt) : 0 }
}
