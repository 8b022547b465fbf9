import { Link } from 'react-router'
import { paths } from '#web/paths.ts'

export function Importing() {
  return (
    <>
      <p>
        Bulk import reads the file that your yard system exports and makes listings of its rows. It is part of
        Pro Seller and <strong>opens with our next release</strong>; this article says what it will ask for,
        so that you can have your file ready.
      </p>
      <h2>The file</h2>
      <ul>
        <li>CSV, as every yard system and spreadsheet can write it, also compressed as .gz.</li>
        <li>
          The first line names the columns. Their names and order are yours; you match them to ours once.
        </li>
        <li>
          Each row needs a part name, category, manufacturer, model, year and price. What is the same in every
          row, such as your town, can be given once for the whole file.
        </li>
        <li>A column with your own stock number is worth having: it tells an update from a new part.</li>
      </ul>
      <h2>What happens to it</h2>
      <ol>
        <li>A dry run reads every row and lists what is wrong, by row and column. Nothing is written.</li>
        <li>The real run sets good rows aside for review; bad ones come back as a file to correct.</li>
        <li>After the review the parts are published. Sending the same file again changes nothing.</li>
      </ol>
      <h2>Until then</h2>
      <p>
        The <Link to={paths.createDataTableListing}>data-table listing</Link> is the quickest form, and
        “Create another” keeps what the next part has in common with the last.
      </p>
    </>
  )
}
