import { type ImportField, importFieldLabels } from '#contract/import-fields.ts'
import { firstYear, LONGEST_LOOKUP_NAME, longestText } from '#contract/listing-rules.ts'
import type { Reading } from '#contract/yard-file/reading.ts'
import { priceReader, shippingReader } from './field-amount.ts'
import { milesReader, quantityReader } from './field-count.ts'
import { gradeReader } from './field-grade.ts'
import { listingIdReader } from './field-listing-id.ts'
import { pictureReader } from './field-picture.ts'
import { codeReader, type ReadValue, textReader } from './field-text.ts'
import { yearReader } from './field-year.ts'
import { zipcodeReader } from './field-zipcode.ts'
import { remembered } from './remembered.ts'

export type FieldRules = {
  /** The current one, for the years of cars. */
  readonly year: number
  /** What separates cents in the columns of money, where that is known. */
  readonly decimals?: Reading['decimals'] | undefined
}

type TextField = Exclude<ImportField, 'imageUrl' | 'partcategory' | 'partmanu' | 'listingid'>

const limitsOf = (field: TextField) => ({ label: importFieldLabels[field], longest: longestText(field) })
const text = (field: TextField) => textReader(limitsOf(field))
const code = (field: TextField) => codeReader(limitsOf(field))

/** How the values of each field are read. The answers may remember, so one for each file. */
export function fieldReaders({ year, decimals = {} }: FieldRules): Record<ImportField, ReadValue> {
  return {
    imageUrl: orNothing(pictureReader()),
    partname: textReader({
      label: importFieldLabels.partname,
      longest: longestText('partname'),
      clean: true,
    }),
    partdescription: textReader({
      label: importFieldLabels.partdescription,
      longest: longestText('partdescription'),
      lines: 'several',
      clean: true,
    }),
    partcategory: textReader({ label: importFieldLabels.partcategory, longest: LONGEST_LOOKUP_NAME }),
    partmanu: textReader({ label: importFieldLabels.partmanu, longest: longestText('partmanuname') }),
    partmodel: text('partmodel'),
    partyear: remembered(orNothing(yearReader(firstYear.ecommerce, year))),
    partgrade: remembered(orNothing(gradeReader)),
    partnum: code('partnum'),
    partprice: remembered(orNothing(priceReader(decimals.partprice))),
    partshipping: remembered(orNothing(shippingReader(decimals.partshipping))),
    partcity: text('partcity'),
    partstate: text('partstate'),
    dealername: text('dealername'),
    dealerphone: code('dealerphone'),
    stocknum: code('stocknum'),
    partquantity: remembered(orNothing(quantityReader)),
    partmiles: orNothing(milesReader),
    zipcode: remembered(orNothing(zipcodeReader)),
    parttrim: text('parttrim'),
    vin: code('vin'),
    h1: textReader({ label: importFieldLabels.h1, longest: longestText('h1'), clean: true }),
    listingid: listingIdReader,
  }
}

/** "N/A" and "-" say nothing, as an empty cell does; words of a column of text stay as they are. */
function orNothing(read: ReadValue): ReadValue {
  return (text) => {
    const value = read(text)
    return typeof value === 'object' && text.length <= 12 && NOTHING.test(text) ? '' : value
  }
}

const NOTHING = /^(?:n[/.]?a\.?|#n\/a|null|nil|unknown|tbd|tba|[-–—?.]+)$/i
