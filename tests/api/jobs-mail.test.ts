import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import Fastify from 'fastify'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { mailJobs } from '#server/features/talk/mail/jobs.ts'
import { queueMail } from '#server/features/talk/mail/mail.ts'
import { serveOutbox } from '#server/features/talk/mail/routes.ts'
import type { Db } from '#server/platform/database/database.ts'
import { type JobBench, openJobBench } from '#tests/support/job-bench.ts'

type ReceivedMail = {
  from: string
  to: string[] /** Headers and body as they came. */
  source: string
}

type MailServer = {
  /** For SMTP_URL. */
  readonly url: string
  readonly received: ReceivedMail[]
  /** What the next recipients are answered with instead of being taken. */
  readonly refusals: { code: number; message: string }[]
  close(): Promise<void>
}

/** A mail server on this machine that keeps what it gets. */
async function startMailServer(): Promise<MailServer> {
  const received: ReceivedMail[] = []
  const refusals: MailServer['refusals'] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onRcptTo(_address, _session, done) {
      const refusal = refusals.shift()
      if (!refusal) return done()
      return done(Object.assign(new Error(refusal.message), { responseCode: refusal.code }))
    },
    onData(stream, session, done) {
      const { mailFrom, rcptTo } = session.envelope
      text(stream)
        .then((source) => {
          const to = rcptTo.map(({ address }) => address)
          received.push({ from: mailFrom ? mailFrom.address : '', to, source })
          done()
        })
        .catch(done)
    },
  })
  // A client that leaves in the middle of a mail is no reason to end the test run.
  server.on('error', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    refusals,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

const sender = {
  name: 'PartHarbor',
  address: 'support@partharbor.example',
  publicUrl: 'https://parts.example',
}

const findMail = (db: Db, id: string) =>
  db.selectFrom('mail').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const jobOf = (db: Db, mailId: string) =>
  db
    .selectFrom('job')
    .selectAll()
    .where('payload', '@>', JSON.stringify({ mailId }))
    .executeTakeFirstOrThrow()

async function untilState(db: Db, id: string, state: string) {
  return vi.waitFor(
    async () => {
      const mail = await findMail(db, id)
      expect(mail.state).toBe(state)
      return mail
    },
    { timeout: 8_000, interval: 20 },
  )
}

describe('with a mail server', () => {
  let server: MailServer
  let bench: JobBench
  let db: Db
  beforeAll(async () => {
    server = await startMailServer()
    bench = await openJobBench()
    db = bench.database.db
    await bench.start(mailJobs({ db, smtpUrl: server.url, sender }))
  })
  afterAll(async () => {
    await bench.close()
    await server.close()
  })
  beforeEach(() => {
    server.received.length = 0
  })

  test('a mail is sent once, from our address, with its reply-to address', async () => {
    const id = await queueMail(db, {
      to: 'ann@yard.example',
      replyTo: 'bob@garage.example',
      subject: 'Headlight für 2014 Corolla',
      body: 'Is it still there?\n.\nBob',
    })
    const mail = await untilState(db, id, 'sent')
    expect(mail).toMatchObject({ error: null, recipient: 'ann@yard.example' })
    expect(mail.sent_at).not.toBeNull()
    expect(server.received).toHaveLength(1)
    const [{ from, to, source } = { from: '', to: [], source: '' }] = server.received
    expect([from, to]).toEqual(['support@partharbor.example', ['ann@yard.example']])
    expect(source).toMatch(/^From: PartHarbor <support@partharbor\.example>\r?$/m)
    expect(source).toMatch(/^Reply-To: bob@garage\.example\r?$/m)
    expect(source).toContain(`Message-ID: <${id}@partharbor.example>`)
    expect(source).toMatch(/^Subject: =\?UTF-8\?Q\?Headlight_f=C3=BCr_2014_Corolla\?=\r?$/m)
    expect(source).toMatch(/Is it still there\?\r?\n\.\.?\r?\nBob/)
  })

  test('a mail has a text and an HTML part, and a summary can be ended with one click', async () => {
    const unsubscribeUrl = 'https://parts.example/api/verify/unsubscribe/a-key.weeklySummary'
    const body = 'Confirm here:\n\nhttps://parts.example/confirm-email#token'
    const mail = { to: 'ann@yard.example', subject: 'Your week', body, button: 'Confirm', unsubscribeUrl }
    await untilState(db, await queueMail(db, mail), 'sent')
    const source = server.received[0]?.source ?? ''
    expect(source).toMatch(/^Content-Type: multipart\/alternative/m)
    expect(source).toMatch(/^Content-Type: text\/plain/m)
    expect(source).toMatch(/^Content-Type: text\/html/m)
    const unfolded = source.replaceAll(/\r?\n[ \t]+/g, ' ')
    expect(unfolded).toContain(`List-Unsubscribe: <${unsubscribeUrl}>`)
    expect(unfolded).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r?$/m)
    expect(source.replaceAll(/=\r?\n/g, '')).toMatch(/>Confirm<\/a>/)
    await untilState(db, await queueMail(db, { to: 'ann@yard.example', subject: 'Reset', body }), 'sent')
    expect(server.received[1]?.source).not.toContain('List-Unsubscribe')
  })

  test('mail and job are written in the caller’s transaction, or not at all', async () => {
    const before = await db.selectFrom('mail').select('id').execute()
    const rolledBack = db.transaction().execute(async (trx) => {
      await queueMail(trx, { to: 'ann@yard.example', subject: 'Never', body: '' })
      throw new Error('changed my mind')
    })
    await expect(rolledBack).rejects.toThrow('changed my mind')
    expect(await db.selectFrom('mail').select('id').execute()).toEqual(before)
    expect(server.received).toEqual([])
  })

  test('text from strangers cannot add headers or recipients', async () => {
    const id = await queueMail(db, {
      to: 'ann@yard.example',
      subject: 'Hello\r\nBcc: everyone@yard.example\r\n\r\nBuy pills',
      body: 'Hi\r\n\r\nBcc: everyone@yard.example',
    })
    await untilState(db, id, 'sent')
    const [{ to, source } = { to: [], source: '' }] = server.received
    expect(to).toEqual(['ann@yard.example'])
    const [headers] = source.split(/\r?\n\r?\n/)
    expect(headers).not.toMatch(/^Bcc:/m)
    expect(() => queueMail(db, { to: 'a@b.example, c@d.example', subject: '', body: '' })).toThrow('address')
    expect(() =>
      queueMail(db, { to: 'a@b.example\r\nRCPT TO:<c@d.example>', subject: '', body: '' }),
    ).toThrow('address')
  })

  test('a temporary refusal is retried later', async () => {
    server.refusals.push({ code: 451, message: 'Greylisted, come back later' })
    const id = await queueMail(db, { to: 'ann@yard.example', subject: 'Patience', body: '' })
    const job = await vi.waitFor(async () => {
      const found = await jobOf(db, id)
      expect(found.status).toBe('retrying')
      return found
    }, 5_000)
    expect(job.error).toContain('Greylisted')
    expect(job.run_after.getTime() - job.updated_at.getTime()).toBeGreaterThan(25_000)
    expect((await findMail(db, id)).state).toBe('queued')
    // End the delay.
    await db.updateTable('job').set({ run_after: new Date() }).where('id', '=', job.id).execute()
    await bench.database.pool.query('update pgboss.job set start_after = now() where id = $1', [job.id])
    await untilState(db, id, 'sent')
    expect(server.received).toHaveLength(1)
  })

  test('an unknown recipient is not retried', async () => {
    server.refusals.push({ code: 550, message: 'No such mailbox' })
    const id = await queueMail(db, { to: 'nobody@yard.example', subject: 'Lost', body: '' })
    const mail = await untilState(db, id, 'failed')
    expect(mail.error).toContain('No such mailbox')
    await vi.waitFor(
      async () => expect(await jobOf(db, id)).toMatchObject({ status: 'failed', attempts: 1 }),
      10_000,
    )
    expect(server.received).toEqual([])
  })

  test('an unreachable server counts as an attempt, not a failure', async () => {
    const away = await openJobBench()
    try {
      await away.start(mailJobs({ db: away.database.db, smtpUrl: 'smtp://127.0.0.1:9', sender }))
      const id = await queueMail(away.database.db, { to: 'ann@yard.example', subject: 'Hm', body: '' })
      await vi.waitFor(
        async () =>
          expect(await jobOf(away.database.db, id)).toMatchObject({ status: 'retrying', attempts: 1 }),
        5_000,
      )
      expect((await findMail(away.database.db, id)).state).toBe('queued')
    } finally {
      await away.close()
    }
  })
})

describe('without a mail server', () => {
  let bench: JobBench
  let db: Db
  beforeAll(async () => {
    bench = await openJobBench()
    db = bench.database.db
    await bench.start(mailJobs({ db, smtpUrl: undefined, sender }))
  })
  afterAll(() => bench.close())

  test('a mail is kept, never marked as sent, and readable in the outbox', async () => {
    const id = await queueMail(db, {
      to: 'ann@yard.example',
      subject: 'A <b>bold</b> "offer" & more',
      body: '<script>alert(1)</script>\nSecond line',
    })
    const mail = await untilState(db, id, 'kept')
    expect(mail.sent_at).toBeNull()
    const app = Fastify()
    serveOutbox(app, { db, publicUrl: 'https://parts.example' })
    const page = await app.inject({ url: '/dev/outbox', headers: { accept: 'text/html,*/*' } })
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(page.body).toContain('A &#60;b&#62;bold&#60;/b&#62; &#34;offer&#34; &#38; more')
    expect(page.body).toContain('&#60;script&#62;alert(1)&#60;/script&#62;\nSecond line')
    expect(page.body).not.toContain('<script')
    const list = await app.inject({ url: '/dev/outbox', headers: { accept: 'application/json' } })
    expect(list.json().items).toMatchObject([
      { id, to: 'ann@yard.example', state: 'kept', body: '<script>alert(1)</script>\nSecond line' },
    ])
    await app.close()
  })
})
