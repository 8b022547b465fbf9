import { Link } from 'react-router'
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
