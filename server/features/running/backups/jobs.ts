import type { Db } from '#server/platform/database/database.ts'
import { defineJob, GiveUp, type JobDefinition } from '#server/platform/jobs/job-definition.ts'
import { type BackupDeps, type BackupLocation, recordBackup, writeBackup } from './backups.ts'
import { backUpQueue } from './nightly-backup.ts'

type Deps = Omit<BackupDeps, 'signal' | 'report'> & {
  db: Db
  place: Omit<BackupLocation, 'passphrase'> & { passphrase: string | undefined }
}

export function backupJobs({ db, place, ...deps }: Deps): JobDefinition[] {
  return [
    defineJob(backUpQueue, async ({ signal, log }) => {
      const { passphrase } = place
      if (passphrase === undefined) throw new GiveUp('Set BACKUP_PASSPHRASE, which encrypts the backup.')
      const reporting = { ...deps, signal, report: (line: string) => log(line) }
      const made = await writeBackup(reporting, { ...place, passphrase })
      await recordBackup(db, made)
      return made
    }),
  ]
}
