import type { User } from '#contract/accounts.ts'

/** "Pro Seller" or "Free Seller". */
export function planName({ sellerTier }: Pick<User, 'sellerTier'>): string {
  return sellerTier === 'PAID' ? 'Pro Seller' : 'Free Seller'
}

/** A status as the spec shows it: "IN_PROGRESS" reads "in progress". */
export function statusWords(status: string): string {
  return status.replaceAll('_', ' ').toLowerCase()
}

/** On the free plan nothing is subscribed to; there it tells whether payouts are set up (spec, account overview). */
export function subscriptionWords(
  user: Pick<User, 'sellerTier' | 'subscriptionStatus' | 'connectStatus'>,
): string {
  if (user.sellerTier === 'PAID') return statusWords(user.subscriptionStatus)
  return user.connectStatus === 'VERIFIED' ? 'Active' : 'Inactive'
}

const connectColors: Record<User['connectStatus'], string> = {
  NOT_STARTED: 'gray',
  IN_PROGRESS: 'sea',
  PENDING: 'warning',
  VERIFIED: 'good',
  REJECTED: 'bad',
}

export function connectColor(status: User['connectStatus']): string {
  return connectColors[status]
}

const steps: [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]
const relative = new Intl.RelativeTimeFormat('en-US')

/** "3 days ago"; a moment ahead of this clock is "just now" too. */
export function timeAgo(iso: string, now: Date): string {
  const seconds = (now.getTime() - new Date(iso).getTime()) / 1000
  const step = steps.find(([, length]) => seconds >= length)
  if (!step) return 'just now'
  const [unit, length] = step
  return relative.format(-Math.floor(seconds / length), unit)
}

/** The letter on the avatar; a whole character, also where it is one beyond the first plane. */
export function firstLetter(name: string): string {
  return ([...name.trim()][0] ?? '?').toUpperCase()
}
