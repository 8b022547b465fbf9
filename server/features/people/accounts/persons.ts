import { sql } from 'kysely'
import { type ProfileChanges, type User, userReply } from '#contract/account/accounts.ts'
import { communicationPrefs, notificationPrefs } from '#contract/account/preferences.ts'
import { listingDefaults } from '#contract/listing/listing-defaults.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { canSignIn } from './closure.ts'

export type NewPerson = {
  name: string
  email: string
  passwordHash: string
  role: 0 | 1
  /** Unset for an account created on the command line. */
  termsAcceptedAt?: Date
  /** Unset: the person confirms the address with the mailed link. */
  emailConfirmedAt?: Date | undefined
}

/** The error that registration and profile show next to the email field. */
export function emailTaken(cause?: unknown): AppError {
  const sentence = 'That email is already registered'
  return new AppError('CONFLICT', sentence, { fields: { email: sentence }, cause })
}

/** Returns the new person's id, or undefined if the email has an account, ignoring case. */
export async function insertPerson(db: Db, person: NewPerson): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    insert into app_user (name, email, password_hash, role, terms_accepted_at, email_verified_at)
    values (${person.name}, ${person.email}, ${person.passwordHash}, ${person.role},
            ${person.termsAcceptedAt ?? null}, ${person.emailConfirmedAt ?? null})
    on conflict (email) do nothing
    returning id
  `.execute(db)
  return rows[0]?.id
}

/**
 * Inserts a seller whose slug ends in 6 characters of its id; returns undefined in the rare case that the slug is
 * taken.
 */
export async function insertSeller(db: Db, { name, slugWords }: { name: string; slugWords: string }) {
  const { rows } = await sql<{ id: string; slug: string }>`
    with made as (select uuidv7() as id)
    insert into seller (id, slug, name)
    select id, ${slugWords} || '-' || right(id::text, 6), ${name} from made
    on conflict (slug) do nothing
    returning id, slug
  `.execute(db)
  return rows[0]
}

export async function insertOwner(db: Db, { userId, sellerId }: { userId: string; sellerId: string }) {
  await sql`
    insert into seller_member (user_id, seller_id, role) values (${userId}, ${sellerId}, 'owner')
  `.execute(db)
}

/** Returns undefined if the email has no account or a disabled one. */
export async function findCredentials(db: Db, email: string) {
  const { rows } = await sql<{ userId: string; passwordHash: string }>`
    select id as "userId", password_hash as "passwordHash"
    from app_user where email = ${email} and disabled_at is null
  `.execute(db)
  return rows[0]
}

/** Replaces a hash with another of the same password, unless the password was changed in the meantime. */
export async function replacePasswordHash(db: Db, hash: { userId: string; old: string; fresh: string }) {
  await sql`
    update app_user set password_hash = ${hash.fresh}
    where id = ${hash.userId} and password_hash = ${hash.old}
  `.execute(db)
}

type ProfileRow = {
  id: string
  name: string
  email: string
  emailConfirmed: boolean
  pendingEmail: string | null
  role: number
  createdAt: Date
  notificationPrefs: unknown
  sellerId: string
  sellerSlug: string
  tier: string
  subscriptionStatus: string
  subscriptionId: string | null
  subscriptionPriceId: string | null
  subscriptionEndsAt: Date | null
  connectStatus: string
  chargesEnabled: boolean
  payoutNeeds: User['payoutNeeds']
  royaltyPercent: number
  certified: boolean
  stripeCustomerId: string | null
  listingDefaults: unknown
  showPhonePublicly: boolean
  preferredContact: string
  takesOffers: boolean
}

/** A person and their seller; of several sellers, the one they own. */
export async function getProfile(db: Db, userId: string): Promise<ProfileRow> {
  const { rows } = await sql<ProfileRow>`
    select u.id, u.name, u.email, u.role, u.created_at as "createdAt",
           u.email_verified_at is not null as "emailConfirmed", u.pending_email as "pendingEmail",
           u.notification_prefs as "notificationPrefs",
           s.id as "sellerId", s.slug as "sellerSlug", s.tier,
           s.subscription_status as "subscriptionStatus", s.subscription_id as "subscriptionId",
           s.subscription_price_id as "subscriptionPriceId",
           s.subscription_ends_at as "subscriptionEndsAt", s.connect_status as "connectStatus",
           s.charges_enabled as "chargesEnabled", s.payout_needs as "payoutNeeds", s.royalty_percent::float8 as "royaltyPercent",
           s.stripe_customer_id as "stripeCustomerId", s.listing_defaults as "listingDefaults",
           s.show_phone_publicly as "showPhonePublicly", s.preferred_contact as "preferredContact",
           s.takes_offers as "takesOffers", s.certified
    from app_user u
    join seller_member m on m.user_id = u.id
    join seller s on s.id = m.seller_id
    where u.id = ${userId}
    order by m.role = 'owner' desc, s.id
    limit 1
  `.execute(db)
  const [profile] = rows
  if (!profile) throw new Error(`account ${userId} belongs to no seller`)
  return profile
}

type PersonChanges = Pick<ProfileChanges, 'name' | 'email' | 'notificationPrefs'> & {
  passwordHash?: string | undefined
}

/**
 * Updates the given fields and returns the email. Writes the email only if just its case differs; a new address is
 * confirmed first (`address-links.ts`). A new password cancels a pending email change.
 */
export async function updatePerson(
  db: Db,
  userId: string,
  changes: PersonChanges,
): Promise<{ email: string; isConfirmed: boolean }> {
  const passwordHash = changes.passwordHash ?? null
  const { rows } = await sql<{ email: string; isConfirmed: boolean }>`
    update app_user set
      name = coalesce(${changes.name ?? null}, name),
      email = case when ${changes.email ?? null}::citext = email then ${changes.email ?? null} else email end,
      pending_email = case when ${passwordHash}::text is null then pending_email end,
      password_hash = coalesce(${passwordHash}, password_hash),
      notification_prefs = notification_prefs || ${JSON.stringify(changes.notificationPrefs ?? {})}::jsonb
    where id = ${userId}
    returning email, email_verified_at is not null as "isConfirmed"
  `.execute(db)
  const [changed] = rows
  if (!changed) throw new Error(`account ${userId} is gone`)
  return changed
}

type SellerChanges = Pick<ProfileChanges, 'listingDefaults' | 'communicationPrefs'>

/** Updates the given defaults for new listings and contact preferences. */
export async function updateSeller(db: Db, sellerId: string, changes: SellerChanges): Promise<void> {
  const { showPhonePublicly, preferredContact, takesOffers } = changes.communicationPrefs ?? {}
  await sql`
    update seller set
      listing_defaults = listing_defaults || ${JSON.stringify(changes.listingDefaults ?? {})}::jsonb,
      show_phone_publicly = coalesce(${showPhonePublicly ?? null}, show_phone_publicly),
      preferred_contact = coalesce(${preferredContact ?? null}, preferred_contact),
      takes_offers = coalesce(${takesOffers ?? null}, takes_offers)
    where id = ${sellerId}
  `.execute(db)
}

/** Makes an account an administrator; undefined if the email has no account or a disabled one. */
export async function updateRoleToAdmin(db: Db, email: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    update app_user set role = 1 where email = ${email} and disabled_at is null returning id
  `.execute(db)
  return rows[0]?.id
}

/** The user as the API shows them to themselves. Every field is listed, so that a new column cannot leak. */
export function presentUser(row: ProfileRow): User {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    emailConfirmed: row.emailConfirmed,
    pendingEmail: row.pendingEmail,
    role: row.role,
    createdAt: row.createdAt.toISOString(),
    sellerId: row.sellerId,
    sellerSlug: row.sellerSlug,
    sellerTier: userReply.shape.sellerTier.parse(row.tier),
    subscriptionStatus: userReply.shape.subscriptionStatus.parse(row.subscriptionStatus),
    subscriptionId: row.subscriptionId,
    subscriptionPriceId: row.subscriptionPriceId,
    subscriptionEndsAt: row.subscriptionEndsAt?.toISOString() ?? null,
    connectStatus: userReply.shape.connectStatus.parse(row.connectStatus),
    royaltyPercent: row.royaltyPercent,
    certified: row.certified,
    stripeCustomerId: row.stripeCustomerId,
    stripe_seller: { charges_enabled: row.chargesEnabled },
    payoutNeeds: row.payoutNeeds,
    listingDefaults: listingDefaults.parse(row.listingDefaults),
    notificationPrefs: notificationPrefs.parse(row.notificationPrefs),
    communicationPrefs: communicationPrefs.parse({
      showPhonePublicly: row.showPhonePublicly,
      preferredContact: row.preferredContact,
      takesOffers: row.takesOffers,
    }),
  }
}

/** Email addresses of administrators who can sign in. */
export async function listAdministrators(db: Db): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`
    select u.email::text as email from app_user u where u.role = 1 and ${canSignIn} order by u.id
  `.execute(db)
  return rows.map(({ email }) => email)
}
