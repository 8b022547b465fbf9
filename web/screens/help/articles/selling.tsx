import { Link } from 'react-router'
import type { Grade } from '#contract/listing/listing-rules.ts'
import { paths } from '#web/paths.ts'
import { gradeWords } from '#web/site/card/listing-words.ts'
import { Definitions } from './definitions.tsx'

export function ListingAPart() {
  return (
    <>
      <p>
        There are two listing forms. Pick one under <Link to={paths.createListing}>Create listing</Link>; the
        listings from both end up in the same list.
      </p>
      <h2>Which form?</h2>
      <Definitions
        head={['Form', 'Use it when']}
        rows={[
          ['E-commerce listing', 'You have a picture and ship the part. Model years 1980 and newer.'],
          [
            'Data-table listing',
            'You list many parts as text, with trim, miles and damage, but no picture. Model years 1900 and newer. The card shows a line drawing of the part group.',
          ],
        ]}
      />
      <h2>The part number</h2>
      <p>
        Type it exactly as it appears on the part. Search ignores spaces, dashes and dots, so “27060-0V210”
        and “270600v210” find the same part.
      </p>
      <h2>Interchange numbers</h2>
      <p>
        Under “Interchange numbers”, enter the other numbers of the part, separated by semicolons:
        “81150-06380; replaces 81150-06370; replaced by 81150-06490”. A buyer who searches for any of them
        finds your part, and sees why. We keep Hollander numbers, such as 114-60123, as you typed them: a
        search finds your part by them, but we never match them with other yards’ parts. A file can have a
        column for all of this.
      </p>
      <p>
        <Link to={paths.interchange}>Interchange</Link> shows which of your parts have no such number, which
        numbers contradict each other (one number on a mirror and a radiator, for example), and which other
        vehicles your parts may fit. Nothing is added to a listing unless you click.
      </p>
      <h2>Pictures that sell</h2>
      <ul>
        <li>
          Add up to 24 pictures. The first is the cover, which buyers see in search results. Drag pictures to
          change their order, or move them with the arrow keys.
        </li>
        <li>
          Phone pictures are fine: JPEG, PNG or WebP. Your browser shrinks them first, so they upload fast
          even on a slow connection. If the connection breaks, the upload waits and then resumes by itself.
        </li>
        <li>Show the whole part in daylight against a plain background, plus a close-up of any damage.</li>
        <li>
          Click a picture to mark damage on it. Buyers see each mark with your note and know what they are
          getting.
        </li>
        <li>Take a picture of the part-number label, or type its text into the description.</li>
        <li>
          Pictures of many parts? Name them by stock number, such as A-1042.jpg and A-1042_2.jpg, or put them
          in folders named by stock number. Drop the folder or a ZIP on{' '}
          <Link to={paths.addPictures}>Add Pictures</Link>.
        </li>
        <li>We rotate pictures upright and remove camera data, including the location.</li>
      </ul>
      <h2>Pictures for many parts at once</h2>
      <p>
        In My Listings, open <Link to={paths.addPictures}>Add pictures</Link> and drop a folder or a ZIP. Each
        picture finds its part by the stock number that its name begins with, such as A-1042.jpg or
        A-1042_2.jpg, or by a folder named after it. You see which picture goes to which part before anything
        is uploaded. If you drop the same files again, no picture is added twice.
      </p>
      <h2>What is filled in for you</h2>
      <p>
        Town, state, dealer name, phone, grade and shipping come from your listing defaults. Set them once in{' '}
        <Link to={paths.accountSettings}>Account settings</Link>. After you save a listing, “Create another”
        keeps the common fields and “Duplicate” copies the whole listing.
      </p>
      <h2>Sold, hidden, deleted</h2>
      <p>
        <strong>Mark as sold</strong> takes a listing off the public list and moves it to Sold.{' '}
        <strong>Delete</strong> removes it. You can undo a deletion for five seconds, or longer while you
        point at the message.
      </p>
    </>
  )
}

const meaning: Record<Grade, string> = {
  A: 'Works like new. Low miles for its age; any marks clean off.',
  B: 'Works perfectly. Normal wear: small scratches, dull finish, a broken clip that doesn’t matter.',
  C: 'Works, but has something the buyer needs to know: a crack, a dent, a bent bracket, high miles. Mention it in the description.',
  D: 'For repair or parts. Say what doesn’t work.',
}

/** ARA's scheme and our letters, as `grade-rule.ts` suggests them. */
const gradeMap: [string, string][] = [
  ['Body parts: no damage, or 1 unit', 'A'],
  ['Body parts: 2 units', 'B'],
  ['Body parts: more than 2 units', 'C'],
  ['Engines, transmissions and similar parts: up to 60,000 miles, or up to 15,000 per year', 'A'],
  ['More than both, up to 200,000 miles', 'B'],
  ['More than 200,000 miles', 'C'],
  ['ARA’s X: not enough information', 'No suggestion'],
  ['Doesn’t work, for repair or parts', 'D; only you can say so'],
]

const grades = Object.keys(gradeWords) as Grade[]

export function Grades() {
  return (
    <>
      <p>
        Grade is the first thing buyers compare. Grade the part in front of you, not the car it came from.
      </p>
      <Definitions
        head={['Grade', 'Meaning']}
        rows={grades.map((grade) => [`${grade}, ${gradeWords[grade]}`, meaning[grade]])}
      />
      <h2>Damage codes and miles</h2>
      <p>
        Yards and body shops in the US grade by the rules of the Automotive Recyclers Association (ARA). Enter
        a damage code or the miles, and we suggest the grade by these rules. You decide; if you grade
        differently, say why.
      </p>
      <Definitions head={['What you know', 'Grade']} rows={gradeMap} />
      <p>
        A damage code is location, kind and units: 5P1 is a parking lot ding at 5 on the part’s chart, of 1
        unit. One unit is about the size of a credit card. Location 0 is all over; 000 is no damage. Kinds: B
        burn, C crease, D dent, E bend, F fading, H hail, J crack or rip, K buckle, L lip damage, P parking
        lot ding, R surface rust, S scratch, T paint damage. Several codes add up.
      </p>
      <h2>When in doubt, grade lower</h2>
      <p>
        A part that’s better than described stays sold. A part that’s worse comes back at your cost, and costs
        you the buyer’s trust. If you are torn between two grades, pick the lower one and describe what’s
        good.
      </p>
      <h2>Miles</h2>
      <p>
        Enter the mileage of the car the part came from. It matters most for moving parts (engine,
        transmission, alternator, bearings) and little for glass or doors. Include anything you would ask
        about yourself.
      </p>
    </>
  )
}
