import { sql } from 'kysely'
import { canSignIn } from '#server/features/people/accounts/closure.ts'
import { listAdministrators } from '#server/features/people/accounts/persons.ts'
import { type NewMail, queueMail } from '#server/features/talk/mail/mail.ts'
import type { Db } from '#server/platform/database/database.ts'
import { countInWindow } from '#server/platform/http/limits/rate-limits.ts'

/* Emails about an import to the person who started it, and about a buyer's report also to administrators. */

export type ImportLetterhead = { readonly productName: string; readonly publicUrl: string }

/**
 * `live`: all of it is live. `first-parts`: a new seller's first parts are live, and the rest waits. `held`: reports
 * stopped the rest. `hold-over`: nobody decided about them within a day. `question`: nothing is live until the seller confirms the plan.
 */
type News = 'live' | 'first-parts' | 'held' | 'hold-over' | 'question'

/** An import as its mails show it. */
type MailedImport = {
  readonly importId: string
  readonly sellerId: string
  readonly fileName: string
  readonly sellerName: string
  readonly created: number
  readonly updated: number
  readonly ended: number
  /** No row of it could be used. */
  readonly isUnused: boolean
  /** Actions of the plan that are not live yet. */
  readonly waiting: number
  /** Rows that wait for the seller's answers. */
  readonly held: number
  readonly restAt: Date | null
  readonly timeZone: string
  /** Why it waits for a person. */
  readonly reasons: readonly string[]
}

async function findMailedImport(db: Db, promotionId: string): Promise<MailedImport | undefined> {
  const { rows } = await sql<MailedImport>`
    select i.id as "importId", s.id as "sellerId", i.file_name as "fileName", s.name as "sellerName",
           p.created, p.updated, p.ended,
           coalesce(p.to_create + p.to_update + p.unchanged + p.to_end + p.merged + p.waiting, 0) = 0 as "isUnused",
           coalesce(p.to_create + p.to_update + p.to_end - p.applied, 0) as waiting,
           p.waiting + (
             select count(*) from promotion_held_row h where h.promotion_id = p.id and h.answer is null
           )::integer as held,
           p.rest_at as "restAt", s.time_zone as "timeZone",
           coalesce((select jsonb_agg(why ->> 'message') from jsonb_array_elements(p.review) why), '[]') as reasons
    from promotion p join import i on i.id = p.import_id join seller s on s.id = p.seller_id
    where p.id = ${promotionId}
  `.execute(db)
  return rows[0]
}

/** The user who started it, if they can still sign in; otherwise all users of the seller. */
async function listRecipients(db: Db, importId: string): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`
    select u.email::text as email
    from import i join seller_member m on m.seller_id = i.seller_id join app_user u on u.id = m.user_id
    where i.id = ${importId} and ${canSignIn}
      and (u.id = i.created_by or not exists (
        select from app_user u where u.id = i.created_by and ${canSignIn}
      ))
    order by u.id
  `.execute(db)
  return rows.map(({ email }) => email)
}

/** For yards whose software sends each part as a separate import; the import page shows them all. */
const LIVE_MAILS_TO_ONE_SELLER = { most: 12, seconds: 3_600 }

async function isOverMailLimit(trx: Db, news: News, sellerId: string): Promise<boolean> {
  if (news !== 'live') return false
  const { most, seconds } = LIVE_MAILS_TO_ONE_SELLER
  return (await countInWindow(trx, `import-mail:${sellerId}`, seconds)).used > most
}

/** Queues the emails about what happened to a promotion's import; a staged file without one has none. */
export async function mailAboutImport(
  trx: Db,
  { id }: { readonly id: string },
  { news, letterhead }: { news: News; letterhead: ImportLetterhead },
): Promise<void> {
  const found = await findMailedImport(trx, id)
  if (!found || (await isOverMailLimit(trx, news, found.sellerId))) return
  const mail = importMail(found, news, letterhead)
  const senders = await listRecipients(trx, found.importId)
  for (const to of senders) await queueMail(trx, { to, ...mail })
  if (news !== 'held' && news !== 'hold-over') return
  const desk = deskMails[news](found, letterhead)
  for (const to of await listAdministrators(trx)) await queueMail(trx, { to, ...desk })
}

const number = (count: number) => count.toLocaleString('en-US')
const parts = (count: number) => `${number(count)} ${count === 1 ? 'part' : 'parts'}`
const nameOf = ({ fileName }: MailedImport) => fileName || 'Your import'

/** The mail to the seller, with the link to the import and its receipt. */
export function importMail(
  found: MailedImport,
  news: News,
  { productName, publicUrl }: ImportLetterhead,
): Omit<NewMail, 'to'> {
  const link = `${publicUrl}/dashboard/seller/imports/${found.importId}`
  const [subject, lines] = wordsOf(found, news)
  return { subject, body: `${[...lines, link, productName].join('\n\n')}\n` }
}

function wordsOf(found: MailedImport, news: News): [subject: string, lines: string[]] {
  const name = nameOf(found)
  const { created, updated, ended, waiting, held, restAt, timeZone, reasons } = found
  switch (news) {
    case 'live':
      if (found.isUnused && held === 0) return unusedFile(name)
      return [
        `${name} is live`,
        [
          `${name} is live: ${outcome({ created, updated, ended })}.`,
          ...(held > 0 ? [waitingForAnswers(held)] : []),
          'The receipt, with an undo button for 30 days:',
        ],
      ]
    case 'first-parts':
      return [
        `The first parts of ${name} are live`,
        [
          `${parts(created)} of ${name} are live. Because this is your first import, the other ${number(waiting)} changes go live at ${timeOf(restAt, timeZone)} unless buyers report your listings. There is nothing for you to do.`,
          'Follow the import here:',
        ],
      ]
    case 'held':
      return [
        `The rest of ${name} is on hold`,
        [
          `Several buyers reported your listings, so the rest of ${name} waits until an administrator reviews it. Without a decision it goes live after a day. What is live stays live.`,
          'See the import, or undo it and send a corrected file:',
        ],
      ]
    case 'hold-over':
      return [
        `The rest of ${name} goes live`,
        [
          `Nobody found a reason to keep the rest of ${name} on hold, so it is going live.`,
          'Follow the import here:',
        ],
      ]
    case 'question':
      return [
        `${name} needs your answer`,
        [
          `${name} is ready, but nothing goes live until you confirm it:`,
          ...reasons,
          'Review the plan and confirm it here:',
        ],
      ]
  }
}

const unusedFile = (name: string): [subject: string, lines: string[]] => [
  `Nothing in ${name} could be used`,
  [`No listing was changed, because no row of ${name} could be used.`, 'The receipt has the reasons:'],
]

const waitingForAnswers = (rows: number) =>
  `${number(rows)} ${rows === 1 ? 'row waits' : 'rows wait'} for your answer: the receipt has the questions.`

function outcome(counts: Pick<MailedImport, 'created' | 'updated' | 'ended'>): string {
  const counted = [
    [counts.created, 'new'],
    [counts.updated, 'updated'],
    [counts.ended, 'ended'],
  ] as const
  const shown = counted.filter(([count]) => count > 0).map(([count, word]) => `${number(count)} ${word}`)
  return shown.length > 0 ? shown.join(', ') : 'nothing changed'
}

function timeOf(at: Date | null, timeZone: string): string {
  if (!at) return 'a later time'
  return at.toLocaleTimeString('en-US', {
    timeZone,
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  })
}

function heldDeskMail(
  found: MailedImport,
  { productName, publicUrl }: ImportLetterhead,
): Omit<NewMail, 'to'> {
  return {
    subject: `Reported: the first import of ${found.sellerName}`,
    body: `Several buyers reported listings of ${found.sellerName}, whose first import (${nameOf(found)}) was going live. The rest is on hold for a day. Publish it, or hide a reported listing, which keeps the rest on hold. Without a decision it goes live.

${publicUrl}/dashboard/admin/reports

${productName}
`,
  }
}

const holdOverDeskMail = (
  found: MailedImport,
  { productName, publicUrl }: ImportLetterhead,
): Omit<NewMail, 'to'> => ({
  subject: `No longer on hold: the first import of ${found.sellerName}`,
  body: `Nobody decided within a day about the reports of ${found.sellerName}, so the rest of the first import (${nameOf(found)}) is going live.

${publicUrl}/dashboard/admin/reports

${productName}
`,
})

const deskMails = { held: heldDeskMail, 'hold-over': holdOverDeskMail }
