import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import type { Operations } from '#contract/admin/operations.ts'
import { backup, backupVerify } from '#server/commands/backup.ts'
import { doctor } from '#server/commands/doctor.ts'
import { nightlyBackup } from '#server/features/running/backups/nightly-backup.ts'
import { queueMail } from '#server/features/talk/mail/mail.ts'
import { Refusal } from '#server/platform/errors.ts'
import { enqueueIfDue } from '#server/platform/jobs/schedules.ts'
import { openLog } from '#server/platform/log.ts'
import { makeQuickListing } from '#tests/support/make-rows.ts'
import { overTcp } from '#tests/support/template-database.ts'
import { startTestApp } from '#tests/support/test-app.ts'

const dir = await mkdtemp(join(tmpdir(), 'partharbor-operations-'))
afterAll(() => rm(dir, { recursive: true }))
const app = await startTestApp({
  PAYMENTS: 'off',
  BACKUP_PASSPHRASE: 'four unrelated words here',
  BACKUP_DIR: dir,
})
const admin = await app.signUp({ role: 'admin' })
const seller = await app.signUp()
const { pool } = app.database
const log = openLog({ role: 'test', level: 'silent' })

function printed(): string[] {
  const lines: string[] = []
  const print = vi.spyOn(console, 'log').mockImplementation((line) => lines.push(String(line)))
  onTestFinished(() => print.mockRestore())
  return lines
}

const operations = async () => (await admin.api.get<Operations>('/admin/operations')).body

test('the page shows what waits, failed, was reported, was not found, and the last backup', async () => {
  expect(await operations()).toEqual({
    isWorkerAlive: false,
    queues: [],
    failedMails: { items: [], total: 0 },
    reportedImports: { items: [], total: 0 },
    emptySearches: { items: [], total: 0 },
    backup: { last: null, at: null, isLate: false },
  })
  const mailId = await queueMail(app.db, { to: 'buyer@mail.example', subject: 'Your search', body: 'Hello' })
  await pool.query(`update mail set state = 'failed', error = '550 no such user' where id = $1`, [mailId])
  await pool.query(`update job set run_after = now() - interval '2 hours'`)
  await pool.query(
    `insert into job (queue, status, ended_at) values ('ingest', 'failed', now()), ('ingest', 'failed', now() - interval '2 days')`,
  )
  await pool.query(`insert into empty_search (words, times) values ('flux capacitor', 12)`)
  const importId = randomUUID()
  await pool.query(
    `insert into import (id, seller_id, dry_run, key, request_hash, file_name, mapping)
     values ($1, $2, false, 'one', '', 'stock.csv', '{}')`,
    [importId, seller.user.sellerId],
  )
  const listing = await makeQuickListing(seller.api)
  for (const visitor of ['a', 'b']) {
    await pool.query(
      `insert into listing_report (listing_id, seller_id, import_id, reason, visitor) values ($1, $2, $3, 'suspicious', $4)`,
      [listing.id, seller.user.sellerId, importId, Buffer.from(visitor)],
    )
  }
  const { queues, failedMails, reportedImports, emptySearches } = await operations()
  expect(queues).toMatchObject([
    { queue: 'send-mail', title: 'Send mail', waiting: 1, running: 0, failed: 0, isPaused: false },
    { queue: 'ingest', waiting: 0, waitingSince: null, failed: 1 },
  ])
  expect(Date.now() - Date.parse(queues[0]?.waitingSince ?? '')).toBeGreaterThan(7_000_000)
  expect(failedMails).toMatchObject({
    items: [{ to: 'buyer@mail.example', error: '550 no such user' }],
    total: 1,
  })
  expect(reportedImports).toMatchObject({
    items: [{ id: importId, fileName: 'stock.csv', reported: 1 }],
    total: 1,
  })
  expect(emptySearches).toMatchObject({ items: [{ words: 'flux capacitor', times: 12 }], total: 1 })
})

test('the commands write a backup and verify it; the page and doctor know about it', async () => {
  const lines = printed()
  await backup(app.config, log, [])
  await backupVerify(app.config, log, [])
  expect(lines.at(-1)).toMatch(/is complete: \d+ tables, [\d,]+ rows, 0 files\.$/)
  const { last } = (await operations()).backup
  expect(last?.name).toMatch(/^partharbor-.*\.backup$/)
  expect(last?.rows).toBeGreaterThan(1_000)
  await expect(backup(app.config, log, ['--where', 'x'])).rejects.toThrow(Refusal)
  const withoutPassphrase = { ...app.config, backup: { ...app.config.backup, passphrase: undefined } }
  await expect(backup(withoutPassphrase, log, [])).rejects.toThrow('BACKUP_PASSPHRASE must be set')
})

test('doctor names each problem with what to do, and fails', async () => {
  const lines = printed()
  const smtp = { ...app.config, smtpUrl: 'smtp://127.0.0.1:1' }
  await expect(doctor(smtp, log, ['--json'])).rejects.toThrow('Checks that failed: 3.')
  const findings = Object.fromEntries(lines.map((line) => [JSON.parse(line).name, JSON.parse(line)]))
  expect(Object.keys(findings)).toEqual([
    'database',
    'migrations',
    'disk',
    'worker',
    'queues',
    'clock',
    'mail',
    'storage',
    'payments',
    'backup',
  ])
  expect(findings).toMatchObject({
    database: { state: 'ok' },
    migrations: { state: 'ok' },
    worker: { state: 'failure', advice: expect.stringContaining('Start a worker') },
    queues: { state: 'failure', found: expect.stringContaining('send-mail') },
    clock: { state: 'ok' },
    mail: { state: 'failure', advice: expect.stringContaining('SMTP_URL') },
    storage: { state: 'ok' },
    payments: { state: 'ok' },
    backup: { state: 'warning', advice: expect.stringContaining('another machine') },
  })
})

test('doctor checks what it can where the database cannot be used', async () => {
  const lines = printed()
  const url = overTcp(app.config.databaseUrl ?? '')
  url.password = 'wrong'
  await expect(doctor({ ...app.config, databaseUrl: url.href }, log, ['--json'])).rejects.toThrow(
    'Checks that failed: 1.',
  )
  const findings = lines.map((line) => JSON.parse(line) as { name: string; state: string; found: string })
  expect(findings[0]).toMatchObject({
    state: 'failure',
    found: expect.stringContaining('password authentication failed'),
    advice: 'Check DATABASE_URL.',
  })
  expect(findings.map(({ name, state }) => [name, state])).toEqual([
    ['database', 'failure'],
    ['migrations', 'skipped'],
    ['disk', 'ok'],
    ['worker', 'skipped'],
    ['queues', 'skipped'],
    ['clock', 'skipped'],
    ['mail', 'ok'],
    ['storage', 'ok'],
    ['payments', 'ok'],
    ['backup', 'skipped'],
  ])
})

test('doctor says first what the migrations need, and nothing about tables that are not there', async () => {
  const lines = printed()
  await pool.query('alter table schema_migration rename to hidden')
  try {
    await expect(doctor(app.config, log, [])).rejects.toThrow('Checks that failed: 1.')
  } finally {
    await pool.query('alter table hidden rename to schema_migration')
  }
  expect(lines[1]).toMatch(/^FAIL {2}migrations {2}The database is \d+ migrations behind/)
  expect(lines[1]).toContain('→ Run "npm run partharbor -- migrate" first.')
  expect(lines.filter((line) => line.startsWith('-'))).toHaveLength(3)
})

test('the nightly backup is due once a day after its time, also after a night without a worker', async () => {
  const { rows } = await pool.query<{ before: string; after: string }>(
    `select to_char(now() at time zone 'UTC' - interval '2 minutes', 'HH24:MI') as before,
            to_char(now() at time zone 'UTC' + interval '2 minutes', 'HH24:MI') as after`,
  )
  const [{ before, after } = { before: '', after: '' }] = rows
  const backUpJobs = `queue = 'back-up'`
  expect(await enqueueIfDue(app.db, nightlyBackup(after))).toBeDefined()
  const made = (ago: string) =>
    pool.query(`update job set status = 'completed', created_at = now() - $1::interval where ${backUpJobs}`, [
      ago,
    ])
  await made('1 hour')
  expect(await enqueueIfDue(app.db, nightlyBackup(after))).toBeUndefined()
  expect(await enqueueIfDue(app.db, nightlyBackup(before))).toBeDefined()
  expect(await enqueueIfDue(app.db, nightlyBackup(before))).toBeUndefined()
  await made('25 hours')
  expect(await enqueueIfDue(app.db, nightlyBackup(after))).toBeDefined()
})
