import { queueMail } from '#server/features/mail/queue-mail.ts'
import type { Actor } from '#server/platform/actor.ts'
import { type Db, inTransaction } from '#server/platform/database/database.ts'
import { takeFromWindow } from '#server/platform/http/rate-limits.ts'
import { answerMail, type Site } from './lead-mail.ts'
import { ANSWERS_TO_ONE_MESSAGE, answerWindow, tooManyAnswers } from './message-limit.ts'
import { titleOf } from './present-lead.ts'
import { findLead, insertAnswer, type ReadLead, updateLeadState } from './queries.ts'

type Answer = { lead: ReadLead & { email: string }; text: string; actor: Actor }

/**
 * Mails an answer to the buyer and keeps it with their message, which counts as answered from then on.
 * @throws AppError TOO_MANY when this message was answered too often today
 */
export function answerLead(db: Db, { lead, text, actor }: Answer, site: Site): Promise<ReadLead> {
  const { userId: authorUserId, name: authorName, email } = actor
  return inTransaction(db, async (trx) => {
    // With the answer, so that one which is not stored is not counted either.
    await takeFromWindow(trx, answerWindow(lead.id), ANSWERS_TO_ONE_MESSAGE).catch((error: unknown) => {
      throw tooManyAnswers(error, lead.email)
    })
    await insertAnswer(trx, { leadId: lead.id, authorUserId, authorName, message: text })
    await updateLeadState(trx, lead.id, 'answered')
    const message = { ...lead, title: titleOf(lead), slug: lead.listing?.slug ?? null }
    const author = { name: authorName, email }
    await queueMail(trx, answerMail(message, { text, author, sellerName: lead.sellerName }, site))
    const answered = await findLead(trx, lead.id)
    if (!answered) throw new Error(`message ${lead.id} went while it was answered`)
    return answered
  })
}
