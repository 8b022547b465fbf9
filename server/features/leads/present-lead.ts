import type { Lead } from '#contract/leads.ts'
import { listingTitle } from '#server/features/listings/listing-title.ts'
import type { ReadLead } from './queries.ts'

/** What the part is called: as it is now, else as it was when the message came. */
export function titleOf(row: ReadLead): string {
  return row.listing ? listingTitle(row.listing) : row.listingTitle
}

/** A message as its seller reads it. Every field is named: a new column does not leave by itself. */
export function presentLead(row: ReadLead): Lead {
  return {
    id: row.id,
    state: row.state,
    name: row.name,
    email: row.email,
    phone: row.phone,
    message: row.message,
    createdAt: row.createdAt.toISOString(),
    answeredAt: row.answeredAt?.toISOString() ?? null,
    listingTitle: row.listingTitle,
    listing: row.listing && { slug: row.listing.slug, title: titleOf(row) },
    answers: row.answers.map(({ id, message, createdAt, by }) => ({ id, message, createdAt, by })),
  }
}
