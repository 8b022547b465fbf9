import { type ImportField, type ImportMapping, importFields } from '#contract/csv/import-fields.ts'
import { compileRowCheck, type RowCheck } from '#server/features/stock-files/read/check-row.ts'

type Checked = ReturnType<RowCheck>

/** What a good row came out as; the other fails where the row was good. */
export const fieldsOf = (result: Checked) => {
  if ('issues' in result) throw new Error(JSON.stringify(result.issues))
  return result.fields
}
export const issuesOf = (result: Checked) => {
  if ('fields' in result) throw new Error(`a good row: ${JSON.stringify(result.fields)}`)
  return result.issues
}

/** The current one, as the rows of the tests have it. */
export const YEAR = 2026

/** A good row under its target fields; the file's headers are those names. A field that it has no value for is empty. */
export const goodRow = {
  imageUrl: 'https://cdn.example.com/a/1.jpg',
  partname: 'Door, front left',
  partdescription: 'Clean.\r\nNo rust.',
  partcategory: 'Front Door',
  partmanu: 'Ford',
  partmodel: 'F-150',
  partyear: '2015',
  partgrade: 'A',
  partnum: 'FL3Z-1520124-A',
  partprice: '1299.00',
  partshipping: 'Flat $120',
  partcity: 'Tulsa',
  partstate: 'OK',
  dealername: 'Green Country Salvage',
  dealerphone: '(918) 555-0142',
  stocknum: 'GC-1',
  partquantity: '1',
  partmiles: '150000',
  zipcode: '74103',
  parttrim: 'XLT',
  vin: '1FTEW1EP5FFA00001',
  h1: '2015 Ford F-150 XLT left front door',
  listingid: '0192f3a4-5b6c-7d8e-9f01-23456789abcd',
} satisfies Partial<Record<ImportField, string>>

const allMapped = Object.fromEntries(importFields.map((field) => [field, field])) as ImportMapping
const checkRow = compileRowCheck({ header: importFields, mapping: allMapped, defaults: {}, year: YEAR })
const cellsOf = (row: Partial<Record<ImportField, string>>) => importFields.map((field) => row[field] ?? '')
/** Checks the good row with these cells in place of its own. */
export const checkCells = (changed: Partial<Record<ImportField, string>>) =>
  checkRow(cellsOf({ ...goodRow, ...changed }))
