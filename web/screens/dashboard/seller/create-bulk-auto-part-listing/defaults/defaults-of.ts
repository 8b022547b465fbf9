import type { User } from '#contract/accounts.ts'
import type { ImportDefaults, ImportField } from '#contract/import-fields.ts'
import { grades } from '#contract/listing-rules.ts'

/** What the seller set for new listings goes for imported ones too. */
export function defaultsOf({ listingDefaults }: Pick<User, 'listingDefaults'>): ImportDefaults {
  const { city, state, dealerName, dealerPhone, shipping, grade } = listingDefaults
  return withoutEmpty({
    partcity: city,
    partstate: state,
    dealername: dealerName,
    dealerphone: dealerPhone,
    partshipping: shipping,
    partgrade: grades.find((letter) => letter === grade?.trim().toUpperCase()),
  })
}

/** Defaults as they are sent: without fields that were left empty. */
export function withoutEmpty(defaults: { [F in ImportField]?: string | undefined }): ImportDefaults {
  const given = Object.entries(defaults).map(([field, text]) => [field, text?.trim() ?? ''])
  return Object.fromEntries(given.filter(([, text]) => text !== ''))
}
