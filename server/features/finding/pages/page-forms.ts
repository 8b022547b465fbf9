import { buyerMessage } from '#contract/leads.ts'
import type { FormFields, FormProblems, PageForm } from '#contract/pages/public-pages.ts'
import { listingReport } from '#contract/reports.ts'
import { newSearch } from '#contract/search/saved-searches.ts'
import { siteEndpoints } from '#contract/site.ts'
import { readConditions } from '#server/features/finding/saved-searches/conditions.ts'
import { saveSearch } from '#server/features/finding/saved-searches/search-links.ts'
import type { ReadPartsQuery } from '#server/features/finding/search/query/reading.ts'
import { mailSupport } from '#server/features/finding/site/support-mail.ts'
import { requireOwnName } from '#server/features/people/accounts/registration.ts'
import { getAskedListing, type Site, writeToSeller } from '#server/features/talk/leads/messages.ts'
import { refuseLinks } from '#server/features/talk/leads/policy.ts'
import { fileReport, getReportableListing } from '#server/features/talk/reports/reports.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { limits, takeFromWindow } from '#server/platform/http/limits/rate-limits.ts'
import { parseBody } from '#server/platform/http/read-body.ts'
import { networkOf } from '#server/platform/net/addresses.ts'

/* Forms of public pages that were sent without scripts, and so by visitors who are not signed in. */

export type FormDeps = {
  db: Db
  ask: ReadPartsQuery
  mail: Site & { supportEmail: string }
  now: () => Date
}

export type FormSender = { ip: string; requestId: string; cookie: string | undefined }

type SentForm = { form: PageForm; fields: FormFields; from: FormSender | undefined }

/** Returns the problems that the visitor can fix, to be shown next to the fields; throws any others. */
export async function sendForm(deps: FormDeps, { form, fields, from }: SentForm): Promise<FormProblems> {
  const sender = from ?? { ip: '', requestId: '', cookie: undefined }
  try {
    await takeFromWindow(deps.db, `mail:ip:${networkOf(sender.ip)}`, limits.mail)
    if (form.kind === 'message') return await sendMessage(deps, form.slug, { fields, sender })
    if (form.kind === 'report') await sendReport(deps, form.slug, { fields, sender })
    else if (form.kind === 'search') await sendSearch(deps, { fields, sender })
    else await sendQuestion(deps, { fields, sender })
    return {}
  } catch (error) {
    if (!(error instanceof AppError) || error.status === 404 || error.status >= 500) throw error
    return { error: error.message, ...(error.fields && { fields: error.fields }) }
  }
}

type Sent = { fields: FormFields; sender: FormSender }

async function sendMessage({ db, mail, now }: FormDeps, slug: string, { fields, sender }: Sent) {
  const listing = await getAskedListing(db, slug, { buyer: undefined })
  const message = parseBody(buyerMessage, fields) as ReturnType<typeof buyerMessage.parse>
  refuseLinks({ message: message.message, name: message.name }, { actor: undefined, now: now() })
  requireOwnName(message.name, mail.productName)
  const { ip, cookie } = sender
  const sent = { listing, message, ip, cookie, buyer: undefined, now: now() }
  const notice = await writeToSeller(db, sent, mail)
  return notice ? { notice } : {}
}

async function sendReport({ db, mail, now }: FormDeps, slug: string, { fields, sender }: Sent) {
  const listing = await getReportableListing(db, slug, undefined)
  const report = parseBody(listingReport, fields) as ReturnType<typeof listingReport.parse>
  const { ip, requestId } = sender
  await fileReport(db, { listing, report, actor: undefined, ip, requestId, now: now() }, mail)
}

async function sendSearch({ db, ask, mail, now }: FormDeps, { fields, sender: { ip, cookie } }: Sent) {
  const asked = parseBody(newSearch, fields) as ReturnType<typeof newSearch.parse>
  const conditions = await readConditions(db, ask, asked.query)
  await saveSearch(db, { ...asked, conditions, actor: undefined, ip, cookie, now: now() }, mail)
}

async function sendQuestion({ db, mail }: FormDeps, { fields, sender }: Sent) {
  const { body } = siteEndpoints.askSupport
  const question = parseBody(body, fields) as ReturnType<typeof body.parse>
  await mailSupport(db, { question, actor: undefined, requestId: sender.requestId }, mail)
}
