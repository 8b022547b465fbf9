import { type ImportField, importFieldLabels } from '#contract/import-fields.ts'
import { firstYear, LONGEST_LOOKUP_NAME, longestText } from '#contract/listing-rules.ts'
import { listingIdReader } from './field-listing-id.ts'
import {
  gradeReader,
  priceReader,
  shippingReader,
  wholeNumberReader,
  yearReader,
  zipcodeReader,
} from './field-number.ts'
import { pictureReader } from './field-picture.ts'
import { type ReadValue, textReader } from './field-text.ts'
import { remembered } from './remembered.ts'

/** How the values of each field are read; `year` is the current one. The answers may remember, so one for each file. */
export function fieldReaders(year: number): Record<ImportField, ReadValue> {
  const text = (field: Exclude<ImportField, 'imageUrl' | 'partcategory' | 'partmanu' | 'listingid'>) =>
    textReader({ label: importFieldLabels[field], longest: longestText(field) })
  return {
    imageUrl: pictureReader(),
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
    partyear: remembered(yearReader(firstYear.ecommerce, year)),
    partgrade: remembered(gradeReader),
    partnum: text('partnum'),
    partprice: remembered(priceReader),
    partshipping: remembered(shippingReader),
    partcity: text('partcity'),
    partstate: text('partstate'),
    dealername: text('dealername'),
    dealerphone: text('dealerphone'),
    stocknum: text('stocknum'),
    partquantity: remembered(
      wholeNumberReader('partquantity', 'Quantity is a whole number from 0 to 1,000,000'),
    ),
    partmiles: wholeNumberReader('partmiles', 'Miles is a whole number from 0 to 9,999,999'),
    zipcode: remembered(zipcodeReader),
    parttrim: text('parttrim'),
    vin: text('vin'),
    h1: textReader({ label: importFieldLabels.h1, longest: longestText('h1'), clean: true }),
    listingid: listingIdReader,
  }
}
