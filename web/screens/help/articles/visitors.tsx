import { Link } from 'react-router'
import { paths } from '#web/paths.ts'
import { featuredInWords } from '#web/site/plans/offers.ts'

export function BeingFound() {
  return (
    <>
      <p>
        Most buyers search by part number or by car. Include both, and they will find your listing either way.
      </p>
      <h2>Write a title like a label</h2>
      <p>
        We put the year, manufacturer and model in front, so the title only needs the rest: “Alternator 130A”,
        “Headlamp, left, xenon”. Include side, size, color and engine. Skip “great condition” and “L@@K”.
      </p>
      <h2>Choose the right category</h2>
      <p>
        Categories know common names: a search for “taillight” also finds tail lamps. Buyers who filter by
        category won’t see a part in the wrong one.
      </p>
      <h2>Describe what a buyer would ask</h2>
      <ul>
        <li>Which other cars it fits, if you know.</li>
        <li>What is included and what isn’t: bulbs, brackets, sensors, keys.</li>
        <li>Every flaw, in plain words. That means fewer questions and fewer returns.</li>
      </ul>
      <h2>Price and shipping</h2>
      <p>
        Buyers compare the total, so always fill in shipping. “Free”, a flat amount and “Pickup only” are all
        fine. “Call for shipping” makes people scroll on.
      </p>
      <h2>The order of results</h2>
      <p>
        Best match first: the part and side, then the car. Among equal matches, the nearer part comes first if
        the buyer gave a ZIP code, then the listing with a picture and the most facts. {featuredInWords}
      </p>
    </>
  )
}

export function Figures() {
  return (
    <>
      <p>
        <Link to={paths.analytics}>Analytics</Link> shows how often each part was viewed and how many buyers
        wrote to you about it.
      </p>
      <h2>What we count</h2>
      <ul>
        <li>
          <strong>Views</strong>: visitors who opened the part, counted once per visit. Your own views aren’t
          counted.
        </li>
        <li>
          <strong>Leads</strong>: messages buyers sent from a part’s page. We can’t count phone calls.
        </li>
        <li>
          <strong>Conversion</strong>: leads divided by views. 14% means that 14 of every 100 views led to a
          message.
        </li>
      </ul>
      <h2>Date ranges</h2>
      <p>
        “This month” on your dashboard is the last 30 days, including today. In Analytics you can choose 7, 30
        or 90 days; each number is compared with the period before it. Days follow your yard’s local time.
      </p>
      <h2>What to do with the numbers</h2>
      <p>
        Many views but few leads? Check the price, shipping and description. Few views? Check the title, part
        number and category; see{' '}
        <Link to={paths.helpArticle('being-found')}>Help buyers find your parts</Link>. A category that does
        well tells you which cars to buy next.
      </p>
    </>
  )
}

export function YourYardsPage() {
  return (
    <>
      <p>
        Your yard has a public page once you list a part. It shows where you are, when you are open, your
        terms, and every part you have for sale with a search box and filters. Your name on each of your parts
        leads there. Edit it under <Link to={paths.yard}>Your Yard’s Page</Link>; “View your page” shows it as
        buyers see it.
      </p>
      <h2>Address and phone</h2>
      <p>
        Everything you fill in is public; what you leave empty isn’t shown. The map is drawn from your ZIP
        code, or from your city and state. Buyers who enter their ZIP code see how far away you are. The phone
        number here is for this page only: whether your listings show a number is up to your{' '}
        <Link to={paths.accountSettings}>account settings</Link>.
      </p>
      <h2>Opening hours</h2>
      <p>
        Choose your time zone, then check the days you are open and set the hours, one span a day. If you
        close after midnight, enter the closing time as it is: it counts for the next day. The page shows
        whether you are open right now. It doesn’t know holidays, so it asks buyers to call ahead.
      </p>
      <h2>Shipping, returns and warranty</h2>
      <p>
        Write a few plain sentences for each: how fast you ship, how long buyers can return a part and in what
        condition, what your warranty covers and for how long. They appear on your page and beside each of
        your parts, so you write them once. These are your terms, and buyers will hold you to them.
      </p>
      <h2>What we add</h2>
      <p>
        The year you started selling here and, once you have replied to five buyers in 90 days, how fast you
        usually reply.
      </p>
    </>
  )
}

export function SavedSearches() {
  return (
    <>
      <p>
        The part isn’t there today? Search for it, add filters such as a price or a distance, and choose “Save
        this search”. We email you when one is listed. You don’t need an account.
      </p>
      <h2>Confirm once</h2>
      <p>
        If you aren’t signed in, we email you a link first, and the search starts when you open it and
        confirm. Nobody can sign you up with your address.
      </p>
      <h2>How often we write</h2>
      <p>
        Right away (up to one email an hour), or once a day in the morning. A part counts as new when it is
        listed, and when its price drops into your range; no part is emailed twice for the same search. Every
        email has a link to your <Link to={paths.savedSearches}>saved searches</Link>, where you change or
        pause them, and one that stops all emails with a click.
      </p>
      <h2>For yards: wanted parts</h2>
      <p>
        <Link to={paths.wanted}>Wanted Near You</Link> lists what buyers are waiting for: the part, the
        vehicle, how many buyers, and how far away the nearest one is. It never shows who they are. List such
        a part, and we email the buyers for you.
      </p>
    </>
  )
}

export function Messages() {
  return (
    <>
      <p>
        Every part’s page has a contact form. Messages arrive in your <Link to={paths.leads}>messages</Link>{' '}
        and, unless you turned that off, by email. Buyers don’t need an account.
      </p>
      <h2>New, answered, closed</h2>
      <p>
        A message is new until you reply or mark it as answered, for example after a call. It is new again
        when the buyer writes back. Close it when you are done: it moves out of your inbox but isn’t deleted.
        You can reopen it any time.
      </p>
      <h2>Replying</h2>
      <p>
        Your reply goes out by email with a link, where the buyer answers without an account. Buyers can also
        reply to the email itself: that comes to your own mailbox. Save what you often write as quick replies.
        If a buyer left only a phone number, call them. Reply fast: a buyer with a car on the lift often asks
        three yards at once, and the first answer usually gets the sale.
      </p>
      <h2>Offers</h2>
      <p>
        Buyers can offer less than your price; an offer expires after 48 hours. Accept it, decline it, or make
        a counteroffer. Accepting isn’t a sale yet: you hold the part for 48 hours, and mark it as sold once
        it is paid. If you sell online, the buyer gets a link to pay, and the order does both for you. Don’t
        want offers? Turn them off in your <Link to={paths.accountSettings}>account settings</Link>.
      </p>
      <h2>Sold already?</h2>
      <p>
        One button tells the buyer, closes the conversation, and if you like marks the listing as sold and
        tells everyone else who asked about the part.
      </p>
      <h2>Calls instead of messages</h2>
      <p>
        Choose in your <Link to={paths.accountSettings}>account settings</Link> whether listings show your
        phone number. If they do and you prefer calls, the page shows a call button first, with the form below
        it.
      </p>
      <h2>Not getting messages?</h2>
      <p>
        Check <Link to={paths.analytics}>Analytics</Link>. If a part has few views,{' '}
        <Link to={paths.helpArticle('being-found')}>help buyers find it</Link>. If it has views but no
        messages, it is usually missing a price, a picture or a note about flaws.
      </p>
    </>
  )
}
