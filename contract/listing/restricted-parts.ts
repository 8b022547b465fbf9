import { stateCode } from '#contract/text/us-states.ts'
import type { ListingField } from './listing-fields.ts'

/*
 * Restricted parts, which may be sold only under certain conditions, by kind and state. Checked in forms, the grid,
 * bulk edits and files. A change of law changes only this table. Sources are in docs/decisions/0058; the operator loads
 * the list of recalled parts.
 */

const needs = {
  'never-deployed': { field: 'neverdeployed', what: 'your confirmation that it was never deployed' },
  vin: { field: 'vin', what: 'the VIN of the vehicle it came from' },
  license: { field: 'partname', what: 'your dismantler’s license, under Account settings, Listing defaults' },
  certified: { field: 'partname', what: 'a certified seller: send your certification to our support team' },
} as const satisfies Record<string, { field: ListingField; what: string }>
type Need = keyof typeof needs

type Rule = {
  /** The noun for messages: "An air bag". */
  kind: string
  /** Matches the part's name or category. */
  words: RegExp
  /** Matches related parts that are unrestricted. */
  not?: RegExp
  /** States where the rule applies; all if unset. */
  states?: readonly string[]
  needs?: readonly Need[]
  /** Why the part cannot be sold there at all. */
  banned?: string
}

const airBag = {
  kind: 'An air bag',
  words: /\bair ?bags?\b/i,
  not: /\b(?:module|computer|sensor|coil|spring|suspension|wiring|harness|switch|clock|strut|shock|compressor)s?\b/i,
}

const rules: readonly Rule[] = [
  { ...airBag, needs: ['never-deployed', 'vin', 'certified'] },
  {
    ...airBag,
    states: ['NY'],
    banned: 'New York does not allow the sale of used air bags (Vehicle and Traffic Law 415-c)',
  },
  {
    kind: 'A catalytic converter',
    words: /\bcatalytic|\bcat(?:alyst)? converters?\b/i,
    not: /\b(?:shield|sensor|bracket|gasket)s?\b/i,
    needs: ['vin', 'license'],
  },
  {
    kind: 'An emission part in California',
    words:
      /\b(?:egr valve|egr cooler|charcoal canister|evap canister|particulate filter|dpf|secondary air pump|smog pump)\b/i,
    states: ['CA'],
    needs: ['vin'],
  },
]

/** The data of a listing that the rules check. */
type Part = Partial<Record<ListingField, string>> & {
  /** The part's category by name. */
  category?: string | undefined
}

export type SellerStanding = { license: boolean; certified: boolean }

/** Why a part was recalled, by its number; undefined if it was not. */
export type Recall = string | undefined

export type Restriction = {
  /** "An air bag needs the VIN of the vehicle it came from." */
  sentence: string
  /** The field where the condition can be met. */
  field: ListingField
}

/** Returns the unmet conditions for listing a part. */
export function restrictionsOf(part: Part, seller: SellerStanding, recall?: Recall): Restriction[] {
  const words = `${part.partname ?? ''} ${part.category ?? ''}`
  const state = stateCode(part.partstate ?? '')
  const found = rules
    .filter((rule) => rule.words.test(words) && !rule.not?.test(words))
    .filter(({ states }) => states === undefined || states.includes(state))
  const banned = found.find((rule) => rule.banned !== undefined)?.banned
  if (banned) return [{ sentence: `${banned}.`, field: 'partstate' }]
  const has: Record<Need, boolean> = {
    'never-deployed': Boolean(part.neverdeployed?.trim()),
    vin: /^[A-HJ-NPR-Z0-9]{17}$/i.test(part.vin?.trim() ?? ''),
    ...seller,
  }
  const missing = found.flatMap(({ kind, needs: asked = [] }) =>
    asked
      .filter((need) => !has[need])
      .map((need) => ({ sentence: `${kind} needs ${needs[need].what}.`, field: needs[need].field })),
  )
  if (recall === undefined) return missing
  const why = recall === '' ? '' : `: ${recall}`
  return [
    { sentence: `This part number was recalled${why}. A recalled part cannot be sold.`, field: 'partnum' },
    ...missing,
  ]
}

/** Only changes of these can make a part more restricted, so that an old listing's price can still be corrected. */
export const restrictingFields = [
  'partname',
  'partcategoryId',
  'partnum',
  'partstate',
  'vin',
  'neverdeployed',
] as const

/** Shown to buyers on the page of an air bag. */
export const neverDeployedSentence =
  'Never deployed. Ships as hazardous material (UN3268, class 9, “Recycled”)'
