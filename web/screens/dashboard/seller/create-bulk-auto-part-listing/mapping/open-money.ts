import type { ImportField, ImportMapping } from '#contract/csv/import-fields.ts'
import { decimalMarkOf } from '#contract/yard-file/decimals.ts'
import type { DecimalMark } from '#contract/yard-file/reading.ts'
import type { ImportFile } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/import-file.ts'

export const moneyFields = ['partprice', 'partshipping'] as const satisfies readonly ImportField[]
export type MoneyField = (typeof moneyFields)[number]

/** A column of money that does not tell what its marks mean, with a value that may be read in two ways. */
export type OpenMoney = { field: MoneyField; header: string; value: string }

type Looked = Pick<ImportFile, 'reading'> & {
  [Part in 'undecided' | 'headers']: readonly string[]
} & { samples: readonly (readonly string[])[] }

/** The questions that have to be answered before the file's amounts can be read. */
export function openMoney(file: Looked, mapping: ImportMapping): OpenMoney[] {
  return moneyFields.flatMap((field) => {
    const header = mapping[field]
    const isOpen =
      header !== undefined && file.undecided.includes(header) && file.reading.decimals[field] === undefined
    return isOpen ? [{ field, header, value: tellingValue(file, header) }] : []
  })
}

/** Of the first rows; where none of them has a mark, the numbers speak for those further down. */
function tellingValue({ headers, samples }: Looked, header: string): string {
  const column = headers.indexOf(header)
  const values = samples.map((row) => row[column]?.trim() ?? '')
  const marked = values.filter((value) => decimalMarkOf(value) !== undefined)
  return values.find((value) => decimalMarkOf(value) === 'open') ?? marked[0] ?? '1,299'
}

/** What a value is in dollars where its cents stand behind that mark: "$1,299.00". */
export function dollarsIn(value: string, mark: DecimalMark): string {
  const digits = /\d[\d.,' \u00a0\u2009\u202f’]*/.exec(value)?.[0] ?? ''
  const [cents, groups] = mark === 'point' ? ['.', ','] : [',', '.']
  // Thousands stand in front of cents, and cents only once; else the value is no amount in that way of writing.
  const isOrdered = !digits.includes(cents) || digits.lastIndexOf(groups) < digits.indexOf(cents)
  const [whole = '', ...rest] = digits.split(cents).map((part) => part.replaceAll(/\D/g, ''))
  if (digits === '' || !isOrdered || rest.length > 1) return 'no amount'
  const amount = Number([whole, ...rest].join('.'))
  return amount.toLocaleString('en-US', {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: 2,
    maximumFractionDigits: 3,
  })
}
