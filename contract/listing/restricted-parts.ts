import { stateCode } from '#contract/text/us-states.ts'
import type { ListingField } from './listing-fields.ts'

/*
 * Restricted parts, which may be sold only under certain conditions, by kind and state. Checked in forms, the grid,
 * bulk edits and files. A change of law changes only this table. Sources are in docs/decisions/0058; the operator loads
 * the list of recalled parts.
 */

const needs = {
  'never-deployed': {
    field: 'neverdeployed',
    what: 'your confirmation that it was never deployed',
    forBuyers: 'the seller’s confirmation that it was never deployed',
  },
  vin: {
    field: 'vin',
    what: 'the VIN of the vehicle it came from',
    forBuyers: 'the VIN of the vehicle it came from',
  },
  license: {
    field: 'partname',
    what: 'your dismantler’s license, under Account settings, Listing defaults',
    forBuyers: 'the seller’s dismantler’s license',
  },
  certified: {
    field: 'partname',
    what: 'a certified seller: send your certification to our support team',
    forBuyers: 'the seller’s certification',
  },
} as const satisfies Record<string, { field: ListingField; what: string; forBuyers: string }>
type Need = keyof typeof needs

type Rule = {
  /** The noun for messages: "An air bag". */
  kind: string
  /** Matches the part's name or category. */
  words: RegExp
  /** Matches related parts that are unrestricted. */
  not?: RegExp
  /** States of the part, and of the address it ships to, where the rule applies; all if unset. */
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

const converter = {
  kind: 'A catalytic converter',
  words: /\bcatalytic|\bcat(?:alyst)? converters?\b/i,
  not: /\b(?:shield|sensor|bracket|gasket)s?\b/i,
}

const rules: readonly Rule[] = [
  { ...airBag, needs: ['never-deployed', 'vin', 'certified'] },
  {
    ...airBag,
    states: ['NY'],
    banned: 'New York does not allow the sale of used air bags (Vehicle and Traffic Law 415-c)',
  },
  { ...converter, needs: ['vin', 'license'] },
  {
    ...converter,
    states: ['CA'],
    banned:
      'California does not allow the sale of used catalytic converters (Code of Regulations, title 13, section 2222)',
  },
  {
    ...converter,
    states: ['NY'],
    banned: 'New York does not allow the sale of used catalytic converters (6 NYCRR 218-7.2)',
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

/** The rules for a part that is in a state, or ships to it. */
function rulesOf(part: Part, state: string): Rule[] {
  const words = `${part.partname ?? ''} ${part.category ?? ''}`
  const code = stateCode(state)
  return rules
    .filter((rule) => rule.words.test(words) && !rule.not?.test(words))
    .filter(({ states }) => states === undefined || states.includes(code))
}

/** What rules ask for and a part lacks, each once. */
function missingOf(found: readonly Rule[], part: Part, seller: SellerStanding): [kind: string, need: Need][] {
  const has: Record<Need, boolean> = {
    'never-deployed': Boolean(part.neverdeployed?.trim()),
    vin: /^[A-HJ-NPR-Z0-9]{17}$/i.test(part.vin?.trim() ?? ''),
    ...seller,
  }
  return found.flatMap(({ kind, needs: asked = [] }) =>
    asked.filter((need) => !has[need]).map((need): [string, Need] => [kind, need]),
  )
}

const recalled = (recall: string) =>
  `This part number was recalled${recall === '' ? '' : `: ${recall}`}. A recalled part cannot be sold.`

const banOf = (found: readonly Rule[]): string | undefined => {
  const banned = found.find((rule) => rule.banned !== undefined)?.banned
  return banned && `${banned}.`
}

/** Why nobody may sell a part where it is; undefined if someone may. */
export const bannedWhereItIs = (part: Part): string | undefined => banOf(rulesOf(part, part.partstate ?? ''))

/** Returns the unmet conditions for listing a part. */
export function restrictionsOf(part: Part, seller: SellerStanding, recall?: Recall): Restriction[] {
  const found = rulesOf(part, part.partstate ?? '')
  const banned = banOf(found)
  if (banned) return [{ sentence: banned, field: 'partstate' }]
  const missing = missingOf(found, part, seller).map(([kind, need]) => ({
    sentence: `${kind} needs ${needs[need].what}.`,
    field: needs[need].field,
  }))
  return recall === undefined ? missing : [{ sentence: recalled(recall), field: 'partnum' }, ...missing]
}

/**
 * Why a part cannot be bought from a state, for buyers; undefined if it can. Both states count: the part's, and the one
 * that it ships to. A part that is fetched stays in its own.
 */
export function restrictedForShipTo(
  part: Part,
  seller: SellerStanding,
  shipToState: string,
  recall?: Recall,
): string | undefined {
  const found = [...rulesOf(part, part.partstate ?? ''), ...rulesOf(part, shipToState)]
  const banned = banOf(found)
  if (banned) return banned
  if (recall !== undefined) return recalled(recall)
  const [missing] = missingOf(found, part, seller)
  if (!missing) return undefined
  const [kind, need] = missing
  return `${kind} cannot be bought here without ${needs[need].forBuyers}, which is missing.`
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
