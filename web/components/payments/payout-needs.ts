import type { User } from '#contract/account/accounts.ts'
import type { PayoutNeeds } from '#contract/account/payout-needs.ts'
import { longDate } from '#web/components/time-words.ts'

/* What Stripe still needs from a seller, in words. */

/** Matches Stripe's names by prefix or substring; the first match counts. */
const WORDS: readonly (readonly [name: RegExp, words: string])[] = [
  [/^external_account/, 'A bank account or debit card for payouts'],
  [/^tos_acceptance/, 'Your agreement to Stripe’s terms'],
  [/^business_type/, 'What kind of business you are'],
  [/^business_profile\.mcc/, 'Your line of business'],
  [/^business_profile\.(url|product_description)/, 'A website or a description of what you sell'],
  [/^business_profile\.support/, 'How your customers reach you'],
  [/^settings\.payments\.statement_descriptor/, 'The name on your customers’ card statements'],
  [/^company\.verification|^documents\./, 'A document about your business'],
  [/^company\.(tax_id|vat_id|registration_number)/, 'Your business’s tax ID'],
  [/^company\.address/, 'Your business’s address'],
  [/^company\.phone/, 'Your business’s phone number'],
  [/^company\.(name|structure)/, 'Your business’s legal name and form'],
  [
    /^company\.(owners|directors|executives)_provided|^(owners|directors|executives)\./,
    'Who owns and runs your business',
  ],
  [/^company\./, 'Details about your business'],
  [/\.verification\.additional_document/, 'A second document that shows your address'],
  [/\.verification\./, 'A photo of an ID, such as a driver’s license'],
  [/\.(id_number|ssn_last_4)$/, 'A Social Security number'],
  [/\.dob\./, 'A date of birth'],
  [/\.address\./, 'A home address'],
  [/\.(first_name|last_name)$/, 'A legal name'],
  [/\.(email|phone)$/, 'An email address and phone number'],
  [/\.relationship\./, 'Who owns and runs your business'],
]

/** What is due, without duplicates, in Stripe's order. Unknown names, which Stripe may add later, become one line. */
export function dueInWords(due: PayoutNeeds['due']): string[] {
  const words = due.map(
    (name) => WORDS.find(([of]) => of.test(name))?.[1] ?? 'More details, which Stripe will ask for',
  )
  return [...new Set(words)]
}

export type PayoutNotice = {
  tone: 'bad' | 'warning' | 'sea'
  text: string
  items: string[]
  /** The button that fixes it, in addition to those that are always shown. */
  fix: 'onboarding' | 'support' | 'none'
}

/** What keeps the seller from being paid, or soon will. Undefined if nothing does, or before payout onboarding started. */
export function payoutNotice({
  payoutNeeds: needs,
  connectStatus,
}: Pick<User, 'payoutNeeds' | 'connectStatus'>): PayoutNotice | undefined {
  if (!needs || connectStatus === 'NOT_STARTED') return undefined
  const items = dueInWords(needs.due)
  const { reason } = needs
  if (reason?.startsWith('rejected')) return undefined
  if (reason === 'platform_paused') {
    const text = 'We paused your payouts. Contact Technical Support to find out why.'
    return { tone: 'bad', text, items, fix: 'support' }
  }
  if (items.length > 0 && connectStatus === 'IN_PROGRESS') {
    return { tone: 'warning', text: 'Stripe pays you once it has these details:', items, fix: 'none' }
  }
  if (items.length > 0) return dueNotice(needs, items)
  if (reason === 'requirements.pending_verification' || reason === 'under_review') {
    const text = 'Stripe is checking your details. There is nothing for you to do.'
    return { tone: 'sea', text, items, fix: 'none' }
  }
  if (reason === 'listed') {
    const text =
      'Stripe is comparing your details with a list of prohibited persons and companies. It will contact you.'
    return { tone: 'warning', text, items, fix: 'none' }
  }
  const text = 'Stripe paused your payouts. Resume onboarding to see what it needs.'
  return { tone: 'bad', text, items, fix: 'onboarding' }
}

function dueNotice({ isLate, deadline }: PayoutNeeds, items: string[]): PayoutNotice {
  if (isLate) {
    return {
      tone: 'bad',
      text: 'Stripe can’t pay you until it has these details:',
      items,
      fix: 'onboarding',
    }
  }
  const text = deadline
    ? `Stripe needs these details by ${longDate(deadline)} to keep paying you:`
    : 'Stripe needs these details to keep paying you:'
  return { tone: 'warning', text, items, fix: 'onboarding' }
}
