import { Link } from 'react-router'
import { type ImportField, importFieldLabels, requiredImportFields } from '#contract/import-fields.ts'
import { paths } from '#web/paths.ts'

const columns: [field: ImportField, what: string][] = [
  ['partname', 'What the part is: “Alternator”, “Headlamp, left”.'],
  ['partcategory', 'The kind of part, as the pickers of the listing forms name it.'],
  ['partmanu', 'The make of the car: Toyota, Ford. “Chevy” and “VW” are understood.'],
  ['partmodel', 'The car’s model: Camry, F-150.'],
  ['partyear', 'The model year in four figures: 2014.'],
  ['partprice', 'In dollars, with or without the sign: 129.95, $1,299.00.'],
  ['partnum', 'The number on the part. Kept as it is, found in any spelling.'],
  ['stocknum', 'Your own number of the part. It tells an update from a new part.'],
  ['partquantity', 'How many you have; one where the cell is empty.'],
  ['partgrade', 'A, B, C or D.'],
  ['partshipping', 'Free, Flat $20, Pickup only, or the cost in dollars.'],
  ['imageUrl', 'The web address of a picture: jpg, png or webp, about 1.5 MB at most.'],
]

export function Importing() {
  return (
    <>
      <p>
        <Link to={paths.createBulkListing}>Bulk import</Link> reads the file that your yard system exports and
        makes listings of its rows. It is part of Pro Seller.
      </p>
      <h2>The file</h2>
      <ul>
        <li>
          CSV with commas, in UTF-8: in a spreadsheet choose “Save as” and “CSV UTF-8”. It may be compressed
          (.csv.gz) and of any size.
        </li>
        <li>
          The first line names the columns. Their names and order are yours; we suggest which is which, and
          you confirm it. Kept as a template, it is done once.
        </li>
        <li>
          What is the same in every row, such as your town or phone, needs no column: give it once for the
          whole file.
        </li>
        <li>A picture is never needed. A part without one shows the drawing of its group.</li>
      </ul>
      <h2>The columns</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">What to put there</th>
          </tr>
        </thead>
        <tbody>
          {columns.map(([field, what]) => (
            <tr key={field}>
              <th scope="row">
                {importFieldLabels[field]}
                {requiredImportFields.includes(field) && ' *'}
              </th>
              <td>{what}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>
        Those with a star every row needs. Description, city, state, zipcode, dealer, phone, miles, trim and
        VIN are read too; columns that you match to nothing are kept with the rows and shown nowhere.
      </p>
      <h2>The dry run</h2>
      <p>
        A dry run reads every row and lists what is wrong, by the row number of your spreadsheet, its column
        and its value, and says how many listings would be new, updated or unchanged. Nothing is written.
        Correct the file and check it again, or import the good rows and correct the others later: they come
        back as a file of their own, as you sent them, each with what is wrong.
      </p>
      <h2>The import</h2>
      <ol>
        <li>
          The rows are sent. If the connection drops, choose the same file again: it goes on where it stopped.
        </li>
        <li>
          A plan says what will happen: new, updated, unchanged. New sellers’ imports, and files with many
          names that are new to us, are looked at by an administrator first.
        </li>
        <li>The listings go live, and a receipt says what was done.</li>
      </ol>
      <p>
        Importing the same file again changes nothing. A row belongs to the listing with the same stock
        number; without one, to the listing that an earlier row with the same part number, year, make, model
        and name became.
      </p>
      <h2>Add, or replace</h2>
      <p>
        <strong>Add and update</strong> touches only what is in the file. <strong>Replace my stock</strong> is
        for the nightly export of everything you have: parts of earlier imports that the file lacks end as
        sold elsewhere. If that would end more than 20 % of them you are asked before anything changes. Parts
        that you listed by hand are never ended by an import.
      </p>
      <h2>Taking it back</h2>
      <p>
        For 30 days a whole import can be taken back from its page: listings that it made go away, changed
        ones are as they were before, and ended ones are on sale again. What was changed since, by you or by a
        buyer’s purchase, stays as it is and is named.
      </p>
    </>
  )
}
