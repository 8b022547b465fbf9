import { csvLine } from '#contract/csv-cell.ts'
import { type ImportField, importFieldLabels, importFields } from '#contract/import-fields.ts'
import { saveFile } from '#web/components/downloads.tsx'

const rows: Partial<Record<ImportField, string>>[] = [
  {
    partname: 'Alternator 130A',
    partdescription: 'Bench tested, pulley turns freely, plug intact.',
    partcategory: 'Alternator',
    partmanu: 'Toyota',
    partmodel: 'Camry',
    partyear: '2014',
    partgrade: 'A',
    partnum: '27060-0V210',
    partprice: '129.95',
    partshipping: 'Free',
    partcity: 'Tulsa',
    partstate: 'OK',
    dealername: 'Green Country Salvage',
    dealerphone: '(918) 555-0142',
    stocknum: 'A-1042',
    partquantity: '1',
    partmiles: '90000',
    zipcode: '74103',
    parttrim: 'LE',
  },
  {
    partname: 'Headlamp, left',
    partdescription: 'Clear lens, all tabs there.',
    partcategory: 'Headlamp Assembly',
    partmanu: 'Ford',
    partmodel: 'F-150',
    partyear: '2012',
    partgrade: 'B',
    partnum: 'BL3Z-13008-C',
    partprice: '85.50',
    partshipping: 'Flat $20',
    partcity: 'Tulsa',
    partstate: 'OK',
    dealername: 'Green Country Salvage',
    dealerphone: '(918) 555-0142',
    stocknum: 'A-1043',
    partquantity: '2',
    partmiles: '',
    zipcode: '74103',
    parttrim: 'XLT',
  },
]

/** A file whose columns match as they are, to fill in or to compare with. */
export function downloadSample(): void {
  // Which listing a row is, only an export knows.
  const columns = importFields.filter((field) => field !== 'listingid')
  const header = columns.map((field) => importFieldLabels[field])
  const lines = [header, ...rows.map((row) => columns.map((field) => row[field] ?? ''))].map(csvLine)
  saveFile(new Blob(['\ufeff', ...lines], { type: 'text/csv' }), 'parts-sample.csv')
}
