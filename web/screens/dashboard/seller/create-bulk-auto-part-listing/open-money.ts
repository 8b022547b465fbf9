import type { ImportField, ImportMapping } from '#contract/import-fields.ts'
import { decimalMarkOf } from '#contract/yard-file/decimals.ts'
import type { DecimalMark } from '#contract/yard-file/reading.ts'
import type { ImportFile } from './import-file.ts'

export const moneyFields = ['partprice', 'partshipping'] as const satisfies readonly ImportField[]
export type MoneyField = (typeof moneyFields)[number]

/** A column of money that does not tell what its marks mean, with a value that may be read in two ways. */
export type OpenMoney = { field: MoneyField; header: string; value: string }

type Looked = Pick<ImportFile, 'undecided' | 'headers' | 'samples' | 'reading'>

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
  const marked = digits.replaceAll(mark === 'point' ? /[^\d.]/g : /[^\d,]/g, '').replace(',', '.')
  // Of a value with two marks of the kind only the last could stand before cents; it is no amount then.
  const amount = Number(marked)
  if (marked === '' || Number.isNaN(amount)) return 'no amount'
  return amount.toLocaleString('en-US', {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: 2,
    maximumFractionDigits: 3,
  })
}
