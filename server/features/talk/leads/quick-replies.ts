import { sql } from 'kysely'
import type { Answer } from '#contract/endpoint.ts'
import type { leadEndpoints } from '#contract/leads.ts'
import { type Db, onlyRow } from '#server/platform/database/database.ts'

/* A seller's saved replies. They only fill the message field; nothing is sent automatically. */

type QuickReplies = Answer<typeof leadEndpoints.readQuickReplies>

/** Shown until the seller saves a list. */
const SUGGESTED = [
  'Yes, it’s still available.',
  'Yes, we ship. What is your ZIP code?',
  'Please send me your VIN, and I’ll check that it fits.',
  'I’ll check it and get back to you today.',
]

const present = (replies: string[] | null): QuickReplies => ({
  replies: replies ?? SUGGESTED,
  suggested: replies === null,
})

export async function readQuickReplies(db: Db, sellerId: string): Promise<QuickReplies> {
  const { rows } = await sql<{ replies: string[] | null }>`
    select quick_replies as replies from seller where id = ${sellerId}
  `.execute(db)
  return present(onlyRow(rows).replies)
}

export async function setQuickReplies(
  db: Db,
  sellerId: string,
  replies: readonly string[],
): Promise<QuickReplies> {
  const { rows } = await sql<{ replies: string[] }>`
    update seller set quick_replies = ${replies} where id = ${sellerId} returning quick_replies as replies
  `.execute(db)
  return present(onlyRow(rows).replies)
}
