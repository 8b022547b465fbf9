import type { User } from '#contract/accounts.ts'

/** Where staged rows go and under which day (spec, section 3). */
export type Staging = { sellerSlug: string; datasetHint: string; timestamp: string }

const DATASET = 'ecomm'

const plain = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')

/** Spec, section 9: the user's name, else the e-mail prefix, else "seller_" and 8 characters of the id. */
export function sellerSlugOf({ name, email, id }: Pick<User, 'name' | 'email' | 'id'>): string {
  return plain(name) || plain(email.split('@')[0] ?? '') || `seller_${id.slice(0, 8)}`
}

const twoDigits = (count: number) => String(count).padStart(2, '0')

/** The day on the wall, not the one in Greenwich. */
export const dayOf = (time: Date): string =>
  [time.getFullYear(), twoDigits(time.getMonth() + 1), twoDigits(time.getDate())].join('-')

export const standardStaging = (user: User, now: Date): Staging => ({
  sellerSlug: sellerSlugOf(user),
  datasetHint: DATASET,
  timestamp: dayOf(now),
})
