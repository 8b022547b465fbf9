import { stateCode } from '#contract/text/us-states.ts'
import type { ListingField } from './listing-fields.ts'

/*
 * Parts that may be sold only with something: data by kind and state, checked in the forms, the grid, bulk edits and files. A law
 * changes in this table alone. Sources are in docs/decisions/0058; parts that a maker has recalled are a list the operator loads.
 */

const needs = {
  'never-deployed': { field: 'neverdeployed', what: 'your confirmation that it was never deployed' },
  vin: { field: 'vin', what: 'the VIN of the vehicle it came from' },
  license: { field: 'partname', what: 'your dismantler’s license, under Account settings, Listing defaults' },
  certified: { field: 'partname', what: 'a certified seller: send your certification to our support' },
} as const satisfies Record<string, { field: ListingField; what: string }>
type Need = keyof typeof needs

type Rule = {
  /** In sentences: "An air bag". */
  kind: string
  /** In the part's name or category. */
  words: RegExp
  /** Parts around it, which are free. */
  not?: RegExp
  /** Where the part is; everywhere without it. */
  states?: readonly string[]
  needs?: readonly Need[]
  /** Why it cannot be sold there at all. */
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

/** What a listing may have that the rules ask for. */
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
  /** Where it can be met. */
  field: ListingField
}

/** What is missing before the part may be listed; empty if nothing is. */
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

/** A change of none of these makes a part more restricted, so that an old listing's price can still be corrected. */
export const restrictingFields = [
  'partname',
  'partcategoryId',
  'partnum',
  'partstate',
  'vin',
  'neverdeployed',
] as const

/** What buyers read on the page of an air bag. */
export const neverDeployedSentence =
  'Never deployed. Ships as hazardous material (UN3268, class 9, “Recycled”)'
