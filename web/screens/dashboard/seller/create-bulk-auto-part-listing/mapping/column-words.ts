import { type ImportField, importFieldLabels } from '#contract/csv/import-fields.ts'
import { decimalMarks } from '#contract/yard-file/reading.ts'
import type { ImportFile } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/import-file.ts'
import { formatPrice } from '#web/site/card/listing-words.ts'
import { amountIn, samplesOf } from './column-choice.ts'

/** What a yard calls the values of a column, where the field's label would sound odd. */
const nouns: Partial<Record<ImportField, string>> = {
  partname: 'part names',
  partcategory: 'part types',
  partmanu: 'makes',
  partmodel: 'models',
  partyear: 'years',
  partprice: 'prices',
  partnum: 'part numbers',
  stocknum: 'stock numbers',
  partgrade: 'grades',
  partmiles: 'miles',
  partquantity: 'quantities',
  partside: 'sides',
  partdescription: 'descriptions',
  partshipping: 'shipping costs',
  imageUrl: 'pictures',
  vin: 'VINs',
  zipcode: 'ZIP codes',
  partcity: 'towns',
  partstate: 'states',
  dealername: 'yard’s name',
  dealerphone: 'phone number',
}

const nounOf = (field: ImportField): string => nouns[field] ?? importFieldLabels[field].toLowerCase()

type File = Pick<ImportFile, 'headers' | 'samples' | 'decimals'>
type Suggested = { field: ImportField; header: string; sure: boolean }

/** Why a column was suggested: “Looks like your stock numbers.” One that is not sure is asked about. */
export function suggestionWords({ field, header, sure }: Suggested, file: File): string {
  if (sure) return `Looks like your ${nounOf(field)}.`
  const question = `Does “${header}” have your ${nounOf(field)}?`
  if (field !== 'partprice') return question
  const mark = decimalMarks.find((one) => one === file.decimals[header]) ?? 'point'
  const prices = samplesOf(file.samples, file.headers.indexOf(header)).flatMap((value) => {
    const amount = amountIn(value, mark)
    return amount === undefined ? [] : [formatPrice(amount, 'USD')]
  })
  const cost = prices.length > 0 ? ` First parts would cost ${prices.join(' and ')}.` : ''
  return `Is “${header}” your price?${cost}`
}
