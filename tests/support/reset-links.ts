import { pino } from 'pino'
import { afterAll, expect } from 'vitest'
import { accountJobs } from '#server/features/accounts/jobs.ts'
import { startJobEngine } from '#server/platform/jobs/job-engine.ts'
import { QUICK, untilStatus } from './job-bench.ts'
import type { TestApp } from './test-app.ts'

type Mail = { subject: string; body: string }

export type ResetLinks = {
  mailsTo(email: string): Promise<Mail[]>
  /** Waits for the jobs that mail links. */
  linksSent(): Promise<void>
  /** Asks for a link and takes its token from the mail. */
  linkFor(person: { email: string }): Promise<string>
}

export const tokenIn = (body = ''): string => /reset-password#([\w-]{43})\n/.exec(body)?.[1] ?? 'no link'

/** Runs the jobs that mail links until the file's tests end. Call it at the top of a test file. */
export async function startResetLinks({ db, clock, config, visitor }: TestApp): Promise<ResetLinks> {
  const url = config.databaseUrl ?? ''
  const engine = await startJobEngine({
    url,
    directUrl: url,
    db,
    log: pino({ level: 'silent' }),
    definitions: accountJobs({ now: clock.now, letterhead: config }),
    periodic: [],
    times: QUICK,
  })
  afterAll(() => engine.close())

  const mailsTo = (email: string) =>
    db.selectFrom('mail').select(['subject', 'body']).where('recipient', '=', email).orderBy('id').execute()
  const linksSent = async () => {
    const jobs = await db.selectFrom('job').select('id').where('queue', '=', 'send-reset-link').execute()
    for (const { id } of jobs) await untilStatus({ db }, id, 'completed')
  }
  const linkFor = async ({ email }: { email: string }) => {
    const before = await mailsTo(email)
    const answer = await visitor.post('/password-reset', { email })
    expect(answer).toMatchObject({ status: 200, body: { ok: true } })
    await linksSent()
    const mails = await mailsTo(email)
    expect(mails).toHaveLength(before.length + 1)
    return tokenIn(mails.at(-1)?.body)
  }
  return { mailsTo, linksSent, linkFor }
}
