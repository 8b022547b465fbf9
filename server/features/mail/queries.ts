import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import type { NewMail } from './mail.ts'

/** `kept` is a mail that stays with us because no mail server is set. */
export type MailState = 'queued' | 'sent' | 'failed' | 'kept'
export type Mail = NewMail & { readonly id: string; readonly state: MailState }

export async function insertMail(trx: Db, mail: NewMail): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into mail (recipient, reply_to, subject, body)
    values (${mail.to}, ${mail.replyTo ?? null}, ${mail.subject}, ${mail.body})
    returning id`.execute(trx)
  const id = rows[0]?.id
  if (id === undefined) throw new Error('a mail was not stored')
  return id
}

export async function findMail(db: Db, id: string): Promise<Mail | undefined> {
  const { rows } = await sql<Mail & { replyTo: string | null }>`
    select id, recipient as "to", reply_to as "replyTo", subject, body, state from mail where id = ${id}`.execute(
    db,
  )
  const [mail] = rows
  if (!mail) return undefined
  const { replyTo, ...rest } = mail
  return replyTo === null ? rest : { ...rest, replyTo }
}

export async function setMailState(trx: Db, id: string, state: MailState, error?: string): Promise<void> {
  await sql`
    update mail
    set state = ${state}, error = ${error ?? null}, sent_at = case when ${state} = 'sent' then now() end
    where id = ${id}`.execute(trx)
}

export type OutboxMail = {
  id: string
  to: string
  replyTo: string | null
  subject: string
  body: string
  state: MailState
  error: string | null
  createdAt: Date
  sentAt: Date | null
}

/** The newest mails first. */
export async function listOutbox(db: Db, limit: number): Promise<OutboxMail[]> {
  const { rows } = await sql<OutboxMail>`
    select id, recipient as "to", reply_to as "replyTo", subject, body, state, error,
           created_at as "createdAt", sent_at as "sentAt"
    from mail order by id desc limit ${limit}`.execute(db)
  return rows
}
