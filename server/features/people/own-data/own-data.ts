import { Readable } from 'node:stream'
import type { ReadableStream as NodeReadableStream } from 'node:stream/web'
import { ZipWriter } from '@zip.js/zip.js/lib/zip-core-writer.js'
import { type RawBuilder, sql } from 'kysely'
import { partPath } from '#contract/pages/site-paths.ts'
import { readGarage } from '#server/features/finding/garage/garage.ts'
import { readListings } from '#server/features/market/listings/listing-queries.ts'
import { presentListing } from '#server/features/market/listings/present-listing.ts'
import { listBuyerOrders, listSellerOrders } from '#server/features/money/orders/order-lists.ts'
import { listPhotos, type PhotoSide, readPhoto } from '#server/features/money/orders/returns/return-photos.ts'
import { showToBuyer, showToSeller } from '#server/features/money/orders/show-order.ts'
import type { Letterhead } from '#server/features/people/accounts/account-mails.ts'
import { getProfile, presentUser } from '#server/features/people/accounts/persons.ts'
import { deviceInWords } from '#server/features/people/accounts/sessions.ts'
import { listTokens } from '#server/features/people/api-tokens/api-tokens.ts'
import { listFactors } from '#server/features/people/factors/factors.ts'
import { shownName } from '#server/features/people/yard-names/shown-name.ts'
import {
  describeImports,
  listImportsOfSeller,
  readReceipt,
} from '#server/features/stock-files/receive/imports.ts'
import { listTemplates } from '#server/features/stock-files/receive/mapping-templates.ts'
import { listLeads, presentLead } from '#server/features/talk/leads/leads.ts'
import type { Actor } from '#server/platform/actor.ts'
import { type Db, HIGHEST_ID } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'

/*
 * Everything we store about a person, as a ZIP of JSON files. It is read page by page at the client's pace: no
 * connection is held in between, and memory use does not grow with the account.
 */

export type OwnDataDeps = { db: Db; files: FileStore; now: () => Date; letterhead: Letterhead }

type OwnDataRequest = OwnDataDeps & { actor: Actor }

/** A file of the archive: one object, or a list that is read in pages. */
type OwnFile = readonly [name: string, about: string, content: Content]
type Content =
  | { read: (asked: OwnDataRequest) => Promise<object> }
  | { pages: (asked: OwnDataRequest) => AsyncGenerator<readonly object[]> }

/** Never throws: a failure aborts the stream, so that a partial archive does not look complete. */
export function openOwnData(deps: OwnDataDeps, actor: Actor): Readable {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  // The client sees the aborted stream; a client that disconnected does not matter.
  void writeArchive({ ...deps, actor }, writable).catch((error: unknown) =>
    writable.abort(error).catch(() => undefined),
  )
  return Readable.fromWeb(readable as NodeReadableStream)
}

async function writeArchive(asked: OwnDataRequest, writable: WritableStream<Uint8Array>): Promise<void> {
  const zip = new ZipWriter(writable, { useWebWorkers: false, lastModDate: asked.now() })
  await zip.add('README.txt', bytesOf(readme(asked)))
  for (const [name, , content] of FILES) await zip.add(name, bytesOf(jsonOf(content, asked)))
  for await (const { name, content } of photos(asked)) await zip.add(name, content)
  await zip.close()
}

function bytesOf(text: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await text.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    cancel: async () => void (await text.return(undefined)),
  })
}

async function* readme({ actor, now, letterhead: { productName, supportEmail } }: OwnDataRequest) {
  const files = [
    ...FILES,
    [`${PHOTOS}/`, 'Photos that you sent with returns, claims and your answers to them'] as const,
  ]
  const lines = files.map(([name, about]) => `${name.padEnd(22)}${about}`).join('\n')
  yield `${productName}: everything we store about ${actor.email}, on ${now().toISOString()}

${lines}

Payments: invoices, payouts and cards are at Stripe. Open them under Manage billing and Open Payout Settings.
Questions: ${supportEmail}
`
}

async function* jsonOf(content: Content, asked: OwnDataRequest): AsyncGenerator<string> {
  if ('read' in content) return yield `${JSON.stringify(await content.read(asked), null, 2)}\n`
  yield '['
  let separator = '\n'
  for await (const page of content.pages(asked)) {
    if (page.length === 0) continue
    yield separator + page.map((item) => JSON.stringify(item)).join(',\n')
    separator = ',\n'
  }
  yield '\n]\n'
}

async function readAccount({ db, actor }: OwnDataRequest): Promise<object> {
  const user = presentUser(await getProfile(db, actor.userId))
  const { rows } = await sql<{ emailVerifiedAt: Date | null; termsAcceptedAt: Date | null }>`
    select email_verified_at as "emailVerifiedAt", terms_accepted_at as "termsAcceptedAt"
    from app_user where id = ${actor.userId}
  `.execute(db)
  return { ...user, ...rows[0] }
}

async function readSessions({ db, actor }: OwnDataRequest): Promise<object> {
  const { rows } = await sql<{ userAgent: string | null }>`
    select user_agent as "userAgent", host(ip) as ip, created_at as "createdAt", last_seen_at as "lastSeenAt",
           expires_at as "expiresAt"
    from session where user_id = ${actor.userId} order by last_seen_at desc
  `.execute(db)
  return rows.map((row) => ({ device: deviceInWords(row.userAgent), ...row }))
}

async function readSeller({ db, actor }: OwnDataRequest): Promise<object> {
  const { rows } = await sql<object>`
    select s.id, s.slug, s.name, s.currency, s.time_zone as "timeZone", s.tier as plan,
           s.subscription_status as "subscriptionStatus", s.subscription_id as "subscriptionId",
           s.stripe_customer_id as "stripeCustomerId", s.stripe_account_id as "stripeAccountId",
           s.connect_status as "payoutStatus", s.listing_defaults as "listingDefaults",
           s.show_phone_publicly as "showPhonePublicly", s.preferred_contact as "preferredContact",
           s.takes_offers as "takesOffers", s.quick_replies as "quickReplies", s.feeds,
           s.phone, s.hours, s.policy,
           s.created_at as "createdAt", m.role as "yourRole",
           coalesce((
             select jsonb_agg(jsonb_build_object('name', l.name, 'street', l.street, 'city', l.city, 'state', l.state,
                                                 'zip', l.zip, 'latitude', l.latitude, 'longitude', l.longitude))
             from seller_location l where l.seller_id = s.id
           ), '[]') as locations
    from seller s join seller_member m on m.seller_id = s.id
    where s.id = ${actor.sellerId} and m.user_id = ${actor.userId}
  `.execute(db)
  return rows[0] ?? {}
}

const readMappings = async ({ db, actor, letterhead: { productName } }: OwnDataRequest): Promise<object> =>
  (await listTemplates(db, { sellerId: actor.sellerId, productName })).mine

/** Saved parts, with the addresses of their pages if public. */
async function readOwnGarage({ db, actor, letterhead: { publicUrl } }: OwnDataRequest): Promise<object> {
  const { vehicles, parts } = await readGarage(db, actor.userId)
  const { rows } = await sql<{ id: string; slug: string }>`
    select id, slug from listing
    where id = any(${parts.map(({ id }) => id)}::uuid[]) and status = 'ACTIVE' and deleted_at is null
  `.execute(db)
  const pages = new Map(rows.map(({ id, slug }) => [id, publicUrl + partPath(slug)]))
  return { vehicles, savedParts: parts.map((part) => ({ ...part, page: pages.get(part.id) ?? null })) }
}

// Under a megabyte of text in memory at a time.
const PAGE = 500

/** Each of these kinds has an index by seller, except for deleted listings, which are read once. */
const LISTING_KINDS = [
  sql`deleted_at is null and ended_at is null`,
  sql`deleted_at is null and ended_at is not null`,
  sql`deleted_at is not null`,
]

async function* listings({ db, actor, letterhead: { publicUrl } }: OwnDataRequest) {
  for (const kind of LISTING_KINDS) {
    for (let below: string | undefined = HIGHEST_ID; below !== undefined; ) {
      const { rows }: { rows: { id: string; deletedAt: Date | null }[] } = await sql<{
        id: string
        deletedAt: Date | null
      }>`
        select id, deleted_at as "deletedAt" from listing
        where seller_id = ${actor.sellerId} and ${kind} and id < ${below} order by id desc limit ${PAGE}
      `.execute(db)
      const deletedAt = new Map(rows.map((row) => [row.id, row.deletedAt]))
      const read = await readListings(db, [...deletedAt.keys()])
      yield read.map((row) => {
        const { images, ...listing } = presentListing(row, actor)
        return {
          ...listing,
          images: images.map(({ url, alt, marks }) => ({ url: publicUrl + url, alt, marks })),
          deletedAt: deletedAt.get(row.id),
        }
      })
      below = rows.length < PAGE ? undefined : rows.at(-1)?.id
    }
  }
}

async function* messages({ db, actor, now }: OwnDataRequest) {
  for (let page = 1; ; page += 1) {
    const found = await listLeads(db, { sellerId: actor.sellerId, page, perPage: PAGE, now: now() })
    yield found.map((lead) => presentLead(lead, now()))
    if (found.length < PAGE) return
  }
}

async function* bought({ db, actor }: OwnDataRequest) {
  for (let page = 1; ; page += 1) {
    const { orders } = await listBuyerOrders(db, actor, { page, perPage: PAGE })
    yield await showToBuyer(db, orders)
    if (orders.length < PAGE) return
  }
}

const PHOTOS = 'order-photos'

type PageOfOrders = (page: number) => Promise<{ orders: readonly { id: string; number: string }[] }>

/** Their addresses are not public, so the archive has the files. */
async function* photos(asked: OwnDataRequest) {
  const { db, actor } = asked
  yield* photosOf(asked, 'buyer', (page) => listBuyerOrders(db, actor, { page, perPage: PAGE }))
  yield* photosOf(asked, 'seller', (page) =>
    listSellerOrders(db, actor.sellerId, { show: 'all', page, perPage: PAGE }),
  )
}

/** What one side sent. A file that is missing is left out. */
async function* photosOf({ db, files }: OwnDataRequest, side: PhotoSide, read: PageOfOrders) {
  for (let page = 1; ; page += 1) {
    const { orders } = await read(page)
    const numbers = new Map(orders.map(({ id, number }) => [id, number]))
    for (const photo of await listPhotos(db, [...numbers.keys()], side)) {
      const stream = await readPhoto(files, photo)
      const name = `${PHOTOS}/${numbers.get(photo.orderId)}-${photo.id}.webp`
      if (stream) yield { name, content: streamOf(stream) }
    }
    if (orders.length < PAGE) return
  }
}

const streamOf = (stream: Readable) => Readable.toWeb(stream) as unknown as ReadableStream<Uint8Array>

async function* sold({ db, actor, now }: OwnDataRequest) {
  for (let page = 1; ; page += 1) {
    const { orders } = await listSellerOrders(db, actor.sellerId, { show: 'all', page, perPage: PAGE })
    yield await showToSeller(db, orders, now())
    if (orders.length < PAGE) return
  }
}

type Rows = (actor: Actor) => RawBuilder<{ id: string }>

/** Reads all rows of a statement that have an id, newest first. */
const newestFirst = (rows: Rows) =>
  async function* ({ db, actor }: OwnDataRequest) {
    for (let below: string | undefined = HIGHEST_ID; below !== undefined; ) {
      const page: { rows: { id: string }[] } = await sql<{ id: string }>`
        select * from (${rows(actor)}) found where id < ${below} order by id desc limit ${PAGE}
      `.execute(db)
      yield page.rows
      below = page.rows.length < PAGE ? undefined : page.rows.at(-1)?.id
    }
  }

const sentMessages = newestFirst(
  ({ email }) => sql`
    select m.id, ${shownName(sql`s.id`, sql`s.name`)} as seller, m.listing_title as listing, m.name, m.email, m.phone, m.created_at as "createdAt",
           coalesce((
             select jsonb_agg(jsonb_build_object('from', a.sender, 'kind', a.kind, 'message', a.body,
                      'price', a.price_cents / 100.0, 'createdAt', a.created_at) order by a.id)
             from lead_message a where a.lead_id = m.id
           ), '[]') as messages
    from lead m join seller s on s.id = m.seller_id
    where lower(m.email) = lower(${email})`,
)

const sentReports = newestFirst(
  ({ email }) => sql`
    select id, reason, note, email, created_at as "createdAt", outcome, answer,
           restore_answer as "restoreAnswer"
    from listing_report where lower(email) = lower(${email})`,
)

const ownClaims = newestFirst(
  ({ sellerId }) => sql`
    select id, kind, number, other, stated_at as "statedAt"
    from interchange_claim where seller_id = ${sellerId} and listing_id is null`,
)

const savedSearches = newestFirst(
  ({ userId, email }) => sql`
    select s.id, s.title, s.query, s.frequency, s.created_at as "createdAt", s.confirmed_at as "confirmedAt",
           s.mailed_at as "mailedAt"
    from saved_search s join saved_search_owner o on o.id = s.owner_id
    where o.user_id = ${userId} or o.email = ${email}`,
)

/** Excludes their text, which may contain a link that sets a password. */
const mails = newestFirst(
  ({ email }) => sql`
    select id, subject, created_at as "createdAt", sent_at as "sentAt"
    from mail where lower(recipient) = lower(${email})`,
)

const activity = newestFirst(
  ({ userId }) => sql`
    select id, at, action, target, host(ip) as ip, detail from audit_entry where actor_user_id = ${userId}`,
)

// A receipt takes several queries.
const IMPORTS_A_PAGE = 20

async function* imports({ db, files, actor, now }: OwnDataRequest) {
  for (let page = 1; ; page += 1) {
    const { items } = await listImportsOfSeller(db, actor.sellerId, { page, perPage: IMPORTS_A_PAGE })
    const described = await describeImports(db, items, now())
    const receipts = await Promise.all(
      items.map((item) =>
        readReceipt(db, files, item).catch((error: unknown) => {
          // Nothing of the import went live.
          if (error instanceof AppError && error.code === 'CONFLICT') return null
          throw error
        }),
      ),
    )
    yield described.map((item, index) => ({ ...item, receipt: receipts[index] }))
    if (items.length < IMPORTS_A_PAGE) return
  }
}

/** The archive's files, in its order. */
const FILES: readonly OwnFile[] = [
  ['account.json', 'Your name, email and settings', { read: readAccount }],
  ['sessions.json', 'Where you are signed in', { read: readSessions }],
  [
    'second-steps.json',
    'Your passkeys and authenticator apps, without their keys',
    { read: ({ db, actor }) => listFactors(db, actor.userId) },
  ],
  [
    'api-tokens.json',
    'Your API tokens, without the tokens themselves',
    { read: ({ db, actor, now }) => listTokens(db, actor.userId, now()) },
  ],
  ['garage.json', 'Your vehicles and saved parts', { read: readOwnGarage }],
  ['seller.json', 'Your yard: plan, defaults, hours, terms and locations', { read: readSeller }],
  [
    'listings.json',
    'Your listings with the addresses of their pictures: live, ended and deleted',
    { pages: listings },
  ],
  ['messages.json', 'Messages from buyers and your answers', { pages: messages }],
  ['orders.json', 'What you bought', { pages: bought }],
  ['sales.json', 'Orders of your yard', { pages: sold }],
  ['messages-sent.json', 'Conversations with sellers under your email', { pages: sentMessages }],
  ['imports.json', 'Your imports and their receipts', { pages: imports }],
  ['column-mappings.json', 'Your saved column mappings', { read: readMappings }],
  ['interchange.json', 'Your statements about part numbers, besides your listings', { pages: ownClaims }],
  ['reports.json', 'Reports about listings that you sent under your email', { pages: sentReports }],
  ['saved-searches.json', 'Searches that you saved', { pages: savedSearches }],
  ['mails.json', 'Subjects of the emails we sent you in the last 90 days', { pages: mails }],
  ['activity.json', 'Audit log entries of your account', { pages: activity }],
]
