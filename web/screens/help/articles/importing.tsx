import { Link } from 'react-router'
import type { ImportField } from '#contract/csv/import-fields.ts'
import { paths } from '#web/paths.ts'
import { Definitions } from './definitions.tsx'

/** The contract's fields, starred if every row needs them. Buyers do not load the contract, so a test compares the two. */
export const columns: [field: ImportField, label: string, what: string][] = [
  ['partname', 'Part name *', 'What the part is: “Alternator”, “Headlamp, left”.'],
  [
    'partcategory',
    'Category',
    'Your own word for the type of part. The part’s name takes precedence; if both are unclear, we ask you once.',
  ],
  [
    'partside',
    'Side or position',
    'RH, Left, Driver, FR, Front, Upper. We add it to the part’s name unless the name says it. If the name says the opposite, we report the row.',
  ],
  [
    'partmanu',
    'Manufacturer *',
    'The make of the car: Toyota, Ford. “Chevy” and “VW” work too. Tires and wheels need no make, model or year.',
  ],
  ['partmodel', 'Model *', 'The car’s model: Camry, F-150.'],
  [
    'partyear',
    'Year *',
    'A model year or a range: 2014, 2012-2015, 2012–15, 2012/2015, 2008,2009,2010, 2017+.',
  ],
  ['partprice', 'Price *', 'In dollars: 129.95, $1,299.00, USD 45. “Free” means 0.'],
  ['partnum', 'Part number', 'The number on the part. Saved as typed, found in any format.'],
  ['stocknum', 'Stock number', 'Your own stock number. It matches a row to the listing it updates.'],
  [
    'partquantity',
    'Quantity',
    'How many you have: 2, 2 ea. An empty cell means one; 0 means sold out, and the part is left out.',
  ],
  [
    'partgrade',
    'Grade',
    'A, B, C or D. B+, Grade B and words such as excellent, good, fair and poor work too.',
  ],
  [
    'damagecode',
    'Damage code',
    'ARA’s code: 000 for none, 5P1, 2D1 4S2. If the grade is empty, we take it from this code, or from the miles of mechanical parts.',
  ],
  ['partmiles', 'Miles', '150000, 150,000 mi or 150k.'],
  ['zipcode', 'Zipcode', '74103 or 74103-1234. We restore a leading zero that a spreadsheet dropped.'],
  ['partshipping', 'Shipping', 'Free, Flat $20, Pickup only, or the cost in dollars.'],
  ['warrantydays', 'Warranty days', '90, 90 days, 6 months or 1 year; none or 0 for no warranty.'],
  ['asis', 'AS-IS', 'Yes for a part sold as it is. Then it has no warranty.'],
  ['returndays', 'Return days', '30 or 30 days; 0 if you take no returns.'],
  ['restockpct', 'Restocking percent', '15 or 15%. It needs a number of return days.'],
  ['corecharge', 'Core charge', 'In dollars: 75 or $75.00. You refund it when you get the old part.'],
  [
    'imageUrl',
    'Picture address',
    'The web address of a picture: jpg, png or webp, up to about 1.5 MB. If a cell has several, we use the first.',
  ],
]

const fileKinds: [kind: string, what: string][] = [
  [
    'CSV or text',
    'Any size; commas, semicolons, tabs, vertical bars or another separator; in any common encoding, including UTF-16. Also compressed (.csv.gz).',
  ],
  [
    'Excel (.xlsx)',
    'Up to 50 MB and 200,000 rows. We find the sheet with your parts; sheets with the same columns, such as one per make, are read as one list. You can choose another sheet. Hidden rows are read, and we tell you. Save an old .xls as .xlsx first.',
  ],
  ['Web page named .xls', 'The table in it, as many yard systems export.'],
  ['ZIP', 'The one table in it; pictures and read-me files are ignored. With two tables, upload one.'],
  [
    'Online shops',
    'Exports of eBay, Shopify, WooCommerce, Magento and Square as they are. Variations become parts, attributes become columns, and the price is the one a buyer pays.',
  ],
  [
    'QuickBooks',
    'Item lists. An item such as Chevrolet:Silverado 1500:Q1001 gives make, model and stock number.',
  ],
  [
    'Vehicles above parts',
    'Lists that name each vehicle once, above its parts or in the first row: year, make, model, stock number and miles are filled in for every part.',
  ],
  [
    'Reports',
    'Printed reports saved as text, and tables copied out of a PDF. Page headers, totals and notes are skipped. A second table below the first is not read, and we show you where it begins.',
  ],
]

export function Importing() {
  return (
    <>
      <p>
        <Link to={paths.createBulkListing}>Bulk import</Link> turns the rows of your inventory file into
        listings. It is part of Pro Seller.
      </p>
      <h2>The file</h2>
      <ul>
        <li>
          Upload the file your yard system exports, as it is. We show you how we read it, and you can change
          that. The table below lists the kinds.
        </li>
        <li>
          One line must contain the column names, or two if one names groups of columns. Titles and blank
          lines above are fine. Use any names in any order: we suggest a match for each column, and remember
          it for your next file with the same columns.
        </li>
        <li>
          If one column has the whole vehicle (07 CAMRY), a title (2004-2008 Ford F-150 Front Door LH) or
          lists of years, we offer to separate them and show you the result first.
        </li>
        <li>
          Values that are the same in every row, such as your town or phone, don’t need a column. Enter them
          once.
        </li>
        <li>Pictures are optional. A part without one shows a drawing of its group.</li>
      </ul>
      <Definitions head={['Kind of file', 'What we read']} rows={fileKinds} />
      <h2>The columns</h2>
      <Definitions head={['Field', 'What to enter']} rows={columns.map(([, label, what]) => [label, what])} />
      <p>
        Every row needs the starred fields. We also read description, city, state, dealer, phone, trim and
        VIN. Buyers won’t see columns that you don’t match.
      </p>
      <h2>Before anything is live</h2>
      <p>
        After the check you see up to five finished listings: the most expensive part, the cheapest, one of
        your most common type, one that we corrected, and one picked at random. Click a wrong value to choose
        another column for it. If a column contradicts itself, such as prices in another currency or a status
        we don’t know, we ask you once and remember your answer for your next files.
      </p>
      <h2>Values we don’t guess</h2>
      <ul>
        <li>
          We read 1.299 as a thousand or as $1.30 depending on the other prices in its column: 12.50 means
          decimal points, 12,50 decimal commas. If the column doesn’t settle it, we ask you. A price that
          contradicts its column is reported as a problem.
        </li>
        <li>
          A part number, stock number, VIN or phone such as 1.23457E+11 was rounded by a spreadsheet and has
          lost its last digits. We report these and don’t import them. Export the file again and upload it
          without opening it in a spreadsheet.
        </li>
        <li>
          Two-digit years are read only as a range or after an apostrophe: 12-15 and ’12. For others we offer
          once to read the whole column that way: 05 as 2005. A letter in place of a digit, as in 2O19, is
          reported.
        </li>
        <li>
          A part or stock number that a spreadsheet turned into a date, such as 4-Apr, is reported with what
          it probably was.
        </li>
        <li>
          N/A, unknown and - count as empty in columns for numbers, grades or shipping. Totals, record counts
          and notes between the rows are skipped.
        </li>
      </ul>
      <h2>Descriptions</h2>
      <p>
        Your words stay as you wrote them. HTML becomes the text it shows. Links and phone numbers stay, as
        text that nobody can click, and everyone can see them, even if your phone is hidden elsewhere. This is
        the same in the forms, in bulk edits and in files; the dry run lists the rows.
      </p>
      <h2>The dry run</h2>
      <p>
        A dry run checks every row without changing anything. It lists each problem with the spreadsheet row
        number, column and value, and shows how many listings would be new, updated or unchanged. Fix the file
        and check it again, or import the good rows now and fix the rest later: you can download the rejected
        rows as you sent them, with the problem in each.
      </p>
      <h2>The import</h2>
      <ol>
        <li>We upload the rows. If the connection drops, choose the same file again to resume.</li>
        <li>
          You see what will change: new, updated, unchanged. If more than 20% of your stock would end, or many
          names are new, we ask you first.
        </li>
        <li>
          The listings go live automatically, and you get an email with the receipt. In a first import, some
          parts go live at once and the rest about an hour later, unless a buyer reports one of them.
        </li>
      </ol>
      <p>
        Importing the same file twice changes nothing. A row updates the listing with the same stock number.
        Without a stock number, it updates the listing from an earlier row with the same part number, year,
        make, model and name.
      </p>
      <h2>Export your listings</h2>
      <p>
        “Export CSV” in <Link to={paths.myListings}>My Listings</Link> downloads everything you have for sale
        in a format the import reads. Edit prices or text in a spreadsheet and import the file again. Each row
        finds its listing by the last column, Listing id, so don’t change that column; a row without an ID
        becomes a new part. If you empty the column and a row matches a part you listed by hand, the row waits
        and we ask you whether it is that part. Pictures are kept.
      </p>
      <h2>Add or replace</h2>
      <p>
        <strong>Add and update</strong> changes only what is in the file. <strong>Replace my stock</strong> is
        for an export of your full inventory: parts that are no longer in your file are taken down. If that
        would be more than 20% of them, we ask first. An import never ends parts you listed by hand. With your
        second file we ask which one it is, and remember it. A single sheet of a workbook or a file of prices
        only is never taken for your full inventory.
      </p>
      <h2>Undo an import</h2>
      <p>
        You can undo a whole import from its page for 30 days. Listings it created are removed, listings it
        changed go back to what they were, and listings it ended are for sale again. Anything that you or a
        buyer’s purchase changed since then stays, and we show you which listings those are.
      </p>
      <h2>Limits</h2>
      <ul>
        <li>
          You can have up to 20 unfinished imports at a time. An unfinished import expires after 7 days.
        </li>
        <li>You can import up to 10 GB of rows in 30 days. A million rows are about half a gigabyte.</li>
        <li>A file can have up to 100,000 chunks, and a cell up to 100,000 characters.</li>
        <li>When the site is very busy, the page waits and retries automatically.</li>
      </ul>
    </>
  )
}
