import type { ImportField, ImportMapping } from '#contract/csv/import-fields.ts'
import { decimalMarkOf } from '#contract/yard-file/decimals.ts'
import type { DecimalMark } from '#contract/yard-file/reading.ts'
import type { ImportFile } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/import-file.ts'

export const moneyFields = ['partprice', 'partshipping'] as const satisfies readonly ImportField[]
export type MoneyField = (typeof moneyFields)[number]

/** A price column whose decimal mark is unclear, with an ambiguous value as an example. */
export type OpenMoney = { field: MoneyField; header: string; value: string }

type Looked = Pick<ImportFile, 'reading'> & {
  [Part in 'undecided' | 'headers']: readonly string[]
} & { samples: readonly (readonly string[])[] }

/** The price columns whose decimal mark the user has to choose. */
export function openMoney(file: Looked, mapping: ImportMapping): OpenMoney[] {
  return moneyFields.flatMap((field) => {
    const header = mapping[field]
    const isOpen =
      header !== undefined && file.undecided.includes(header) && file.reading.decimals[field] === undefined
    return isOpen ? [{ field, header, value: exampleValue(file, header) }] : []
  })
}

/** An ambiguous value from the first rows, or a made-up one if the ambiguous rows come later. */
function exampleValue({ headers, samples }: Looked, header: string): string {
  const column = headers.indexOf(header)
  const values = samples.map((row) => row[column]?.trim() ?? '')
  const marked = values.filter((value) => decimalMarkOf(value) !== undefined)
  return values.find((value) => decimalMarkOf(value) === 'open') ?? marked[0] ?? '1,299'
}

/** A value in dollars with the given decimal mark: "$1,299.00". */
export function dollarsIn(value: string, mark: DecimalMark): string {
  const digits = /\d[\d.,' \u00a0\u2009\u202f’]*/.exec(value)?.[0] ?? ''
  const [cents, groups] = mark === 'point' ? ['.', ','] : [',', '.']
  // Thousands separators come before the decimal mark, which occurs once; otherwise this is not an amount.
  const isOrdered = !digits.includes(cents) || digits.lastIndexOf(groups) < digits.indexOf(cents)
  const [whole = '', ...rest] = digits.split(cents).map((part) => part.replaceAll(/\D/g, ''))
  if (digits === '' || !isOrdered || rest.length > 1) return 'not an amount'
  const amount = Number([whole, ...rest].join('.'))
  return amount.toLocaleString('en-US', {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: 2,
    maximumFractionDigits: 3,
  })
}
