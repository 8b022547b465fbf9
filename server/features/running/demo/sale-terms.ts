import type { ListingText } from '#contract/listing/listing-rules.ts'
import type { Condition } from '#server/features/running/demo/parts/condition.ts'
import type { Random } from '#server/platform/seeded-random.ts'
import { type DemoPart, type Occasion, type Policy, partGroups } from './data.ts'

/* The terms of a part's sale: its yard's policy, and nothing that contradicts it. */

/** What a yard promises for all of its parts. */
export type YardTerms = { warranty: Policy; returns: Policy; chargesCores: boolean }

type Sale = {
  part: DemoPart
  group: string
  condition: Condition
  yard: YardTerms | undefined
}

export type Terms = Pick<
  ListingText,
  'warrantydays' | 'asis' | 'returndays' | 'restockpct' | 'corecharge' | 'coredays' | 'corepart'
>

const POWERTRAIN = /^(Engine|Transmission & Drivetrain)$/
const CORE_DAYS = '30'
const CORE_PART = 'Same part, complete and not cracked'
// The others leave it to their profile.
const STATED_SHARE = 0.9

/** The terms that a yard states with a part. Poor parts are sold as they are. */
export function termsOf({ part, group, condition, yard }: Sale, random: Random): Terms {
  if (!yard) return {}
  const core =
    yard.chargesCores && part.core > 0
      ? { corecharge: part.core.toFixed(2), coredays: CORE_DAYS, corepart: CORE_PART }
      : {}
  if (condition.grade === 'D') return { asis: 'Yes', returndays: '0', ...core }
  if (!random.chance(STATED_SHARE)) return core
  const { days, restock } = yard.returns
  return {
    warrantydays: String(warrantyDays(yard.warranty, group)),
    returndays: String(days),
    ...(restock > 0 && { restockpct: String(restock) }),
    ...core,
  }
}

function warrantyDays({ days, powertrainDays, bodyDays }: Policy, group: string): number {
  if (POWERTRAIN.test(group)) return powertrainDays
  const { shares, surface } = partGroups.get(group) ?? {}
  return shares === 'body' && surface !== 'electric' ? bodyDays : days
}

/** Sentences that fit a part with these terms. */
export function sentenceKindsOf(text: ListingText): ReadonlySet<Occasion | ''> {
  const is: Partial<Record<Occasion, boolean>> = {
    any: true,
    warranty: Number(text.warrantydays) > 0,
    returns: Number(text.returndays) > 0,
    ships: text.partshipping !== undefined && text.partshipping !== 'Pickup only',
    pickup: text.partshipping === 'Pickup only',
    quote: text.partshipping === undefined,
    core: text.corecharge !== undefined,
    several: Number(text.partquantity) > 1,
    asis: text.asis !== undefined,
    replaced: text.partinterchange?.includes('replaces') ?? false,
  }
  return new Set(['', ...(Object.keys(is) as Occasion[]).filter((occasion) => is[occasion])])
}

/** Fills the terms into a sentence of an occasion. */
export const withTerms = (sentence: string, text: ListingText): string =>
  sentence
    .replaceAll('{warranty}', text.warrantydays ?? '')
    .replaceAll('{returns}', text.returndays ?? '')
    .replaceAll('{quantity}', text.partquantity ?? '')
