import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

type ReceivedMail = {
  from: string
  to: string[] /** Headers and body as they came. */
  source: string
}

export type MailServer = {
  /** For SMTP_URL. */
  readonly url: string
  readonly received: ReceivedMail[]
  /** What the next recipients are answered with instead of being taken. */
  readonly refusals: { code: number; message: string }[]
  close(): Promise<void>
}

/** A mail server on this machine that keeps what it gets. */
export async function startMailServer(): Promise<MailServer> {
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
