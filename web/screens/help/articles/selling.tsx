import { Link } from 'react-router'
import { type ImportField, importFieldLabels, requiredImportFields } from '#contract/csv/import-fields.ts'
import { grades, gradeWords } from '#contract/listing/listing-rules.ts'
import { paths } from '#web/paths.ts'

export function ListingAPart() {
  return (
    <>
      <p>
        There are two forms. Choose in <Link to={paths.createListing}>Create listing</Link>; a listing made
        with one of them appears in the same list as the others.
      </p>
      <h2>Which form?</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">Form</th>
            <th scope="col">Take it when</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">E-commerce listing</th>
            <td>You have a picture and want to ship the part. Years from 1980 on.</td>
          </tr>
          <tr>
            <th scope="row">Data-table listing</th>
            <td>
              You list many parts as text: with trim, miles and damage, without a picture. Years from 1900 on.
              The card shows a line drawing of the part’s group.
            </td>
          </tr>
        </tbody>
      </table>
      <h2>The part number</h2>
      <p>
        Type it as it stands on the part. We keep it that way and search it without spaces, dashes and dots,
        so “27060-0V210” is found by “270600v210” too. Two numbers, from the maker and of an interchange book?
        Put the second one into the description; words in it are searched as well.
      </p>
      <h2>A picture that sells</h2>
      <ul>
        <li>JPEG, PNG or WebP, up to 10 MB. A phone’s picture is good enough.</li>
        <li>Show the whole part on a plain ground, in daylight; then, if there is damage, the damage.</li>
        <li>The label with the number is worth a picture of its own, or its text in the description.</li>
        <li>We turn pictures upright and remove what the camera wrote into them, the place included.</li>
      </ul>
      <h2>What is filled in for you</h2>
      <p>
        Town, state, dealer name, phone, grade and shipping come from your listing defaults. Set them once in{' '}
        <Link to={paths.accountSettings}>Account settings</Link>. After saving, “Create another” keeps the
        form’s common fields, and “Duplicate” copies the whole listing.
      </p>
      <h2>Sold, hidden, deleted</h2>
      <p>
        <strong>Mark as sold</strong> takes a listing out of the public list and keeps it under Sold.{' '}
        <strong>Delete</strong> removes it; the message that confirms it offers Undo for five seconds, longer
        while you point at it.
      </p>
    </>
  )
}

const meaning: Record<(typeof grades)[number], string> = {
  A: 'Works as new. Low miles for its age; only marks that cleaning removes.',
  B: 'Works without fault. Normal wear: small scratches, a dull coat, a broken clip that does not matter.',
  C: 'Works, with something a buyer must know: a crack, a dent, a bent bracket, high miles. Say it in the description.',
  D: 'For repair, or for the parts in it. Say what does not work.',
}

export function Grades() {
  return (
    <>
      <p>
        A grade is the shortest description of a used part. Buyers compare by it first, so give it as you
        would give it at the counter: from the part in front of you, not from the car it came out of.
      </p>
      <table>
        <thead>
          <tr>
            <th scope="col">Grade</th>
            <th scope="col">Meaning</th>
          </tr>
        </thead>
        <tbody>
          {grades.map((grade) => (
            <tr key={grade}>
              <th scope="row">
                {grade}, {gradeWords[grade]}
              </th>
              <td>{meaning[grade]}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <h2>In doubt, one lower</h2>
      <p>
        A part that arrives better than described is kept. One that arrives worse comes back, at your cost and
        the buyer’s trust. If you hesitate between two grades, take the lower one and describe what is good.
      </p>
      <h2>Miles</h2>
      <p>
        Miles are those of the car the part came from. They say most about what turns or rubs (engine,
        gearbox, alternator, bearings) and little about glass or a door. Leave nothing out that you would ask
        yourself.
      </p>
    </>
  )
}

const columns: [field: ImportField, what: string][] = [
  ['partname', 'What the part is: “Alternator”, “Headlamp, left”.'],
  ['partcategory', 'The kind of part, as the pickers of the listing forms name it.'],
  ['partmanu', 'The make of the car: Toyota, Ford. “Chevy” and “VW” are understood.'],
  ['partmodel', 'The car’s model: Camry, F-150.'],
  ['partyear', 'The model year, or the first and the last one: 2014, 2012-2015, 2012–15, 2012/2015.'],
  ['partprice', 'In dollars: 129.95, $1,299.00, USD 45. “Free” is 0.'],
  ['partnum', 'The number on the part. Kept as it is, found in any spelling.'],
  ['stocknum', 'Your own number of the part. It tells an update from a new part.'],
  ['partquantity', 'How many you have: 2, 2 ea. One where the cell is empty.'],
  ['partgrade', 'A, B, C or D; B+, Grade B and words such as excellent, good, fair and poor too.'],
  ['partmiles', '150000, 150,000 mi or 150k.'],
  ['zipcode', '74103 or 74103-1234. A zero in front that a spreadsheet dropped is put back.'],
  ['partshipping', 'Free, Flat $20, Pickup only, or the cost in dollars.'],
  [
    'imageUrl',
    'The web address of a picture: jpg, png or webp, about 1.5 MB at most. Of several in a cell the first is taken.',
  ],
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
          What your yard system exports, as it is: CSV with commas, semicolons, tabs or another sign, in any
          usual encoding, compressed (.csv.gz) or not and of any size; or a workbook (.xlsx) of up to 50 MB
          and 200,000 rows. We show how it was read, and you can say otherwise.
        </li>
        <li>
          One line names the columns, also where a title stands above it. Their names and order are yours; we
          suggest which is which, and you confirm it. Kept as a template, it is done once.
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
        Those with a star every row needs. Description, city, state, dealer, phone, trim and VIN are read too;
        columns that you match to nothing are kept with the rows and shown nowhere.
      </p>
      <h2>Values that are not guessed</h2>
      <ul>
        <li>
          Whether 1.299 is a thousand or a dollar thirty the other prices of its column say: 12.50 tells
          decimal points, 12,50 decimal commas. Where they do not say it you are asked, and a price that
          contradicts its column is told.
        </li>
        <li>
          Part numbers, stock numbers, VINs and phones such as 1.23457E+11 were rounded by a spreadsheet. They
          are told and not taken, since their last figures are lost: export the file again and upload it as it
          is.
        </li>
        <li>
          Two figures are a year only in pairs or behind an apostrophe: 12-15 and ’12. In 2O19 a letter stands
          where a figure should; that is told too.
        </li>
        <li>
          N/A, unknown and - in a column of numbers, grades or shipping count as empty cells. Totals, counts
          of records and other remarks between the rows are no parts and are left out.
        </li>
      </ul>
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
      <h2>What you have, as a file</h2>
      <p>
        “Export CSV” in <Link to={paths.myListings}>My Listings</Link> writes everything that you have on sale
        into a file that the import knows. Imported as it is, it changes nothing. Edit prices or texts in a
        spreadsheet and import it again: each row finds its listing by the last column,{' '}
        {importFieldLabels.listingid}. Leave that column as it is; a row without an id is a new part. Pictures
        stay where they are.
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
      <h2>Limits</h2>
      <ul>
        <li>Up to 20 imports may be unfinished at a time. What stays unfinished is given up after 7 days.</li>
        <li>Up to 10 GB of rows are taken in 30 days; a million rows are about half a gigabyte.</li>
        <li>A file has at most 100,000 chunks, and a row at most 100,000 characters in a cell.</li>
        <li>When very many files come at once, the page waits and tries again by itself.</li>
      </ul>
    </>
  )
}
