import { Link } from 'react-router'
import { paths } from '#web/paths.ts'

export function BeingFound() {
  return (
    <>
      <p>
        Most buyers arrive with one of two things: a part number, or a car with something missing. A listing
        is found by both if it carries both.
      </p>
      <h2>Write the title like a label</h2>
      <p>
        Year, manufacturer and model are put in front of it by us. So the title is what remains: “Alternator
        130A”, “Headlamp, left, xenon”. Side, size, color and engine belong there; “great condition” and
        “L@@K” do not.
      </p>
      <h2>Choose the real category</h2>
      <p>
        Categories know what people call a part: someone who types “taillight” sees what is listed under tail
        lamps. A part in the wrong category is missed by everybody who filters.
      </p>
      <h2>Describe what a buyer would ask</h2>
      <ul>
        <li>What it fits besides the car it came from, if you know it.</li>
        <li>What is with it, and what is not: bulbs, brackets, sensors, keys.</li>
        <li>Each fault, in plain words. A fault named is a question less and a return less.</li>
      </ul>
      <h2>Price and shipping</h2>
      <p>
        A price without shipping is half a price. “Free”, a flat amount and “Pickup only” are all fine; an
        amount that is only told on request makes people scroll on.
      </p>
    </>
  )
}

export function Figures() {
  return (
    <>
      <p>
        <Link to={paths.analytics}>Analytics</Link> counts two things for each of your parts: how often its
        page was looked at, and how many buyers wrote to you about it.
      </p>
      <h2>What is counted</h2>
      <ul>
        <li>
          <strong>Views</strong>: a visitor who opens a part is counted once a visit. Your own looks are not.
        </li>
        <li>
          <strong>Leads</strong>: messages that buyers sent from the page of a part. Calls are not known to
          us.
        </li>
        <li>
          <strong>Conversion</strong>: leads over views. 14% means that of a hundred looks fourteen became a
          message.
        </li>
      </ul>
      <h2>Which days</h2>
      <p>
        “This month” on your dashboard is the last 30 days, today included. In Analytics you choose 7, 30 or
        90; each figure stands against as many days just before. A day is a day of your yard, by its own
        clock.
      </p>
      <h2>What to do with it</h2>
      <p>
        Many views and few leads: look at price, shipping and description. Few views: look at title, number
        and category, as in <Link to={paths.helpArticle('being-found')}>Be found by the buyer</Link>. A
        category that does well tells you which cars to buy next.
      </p>
    </>
  )
}

export function Messages() {
  return (
    <>
      <p>
        On the page of each of your parts stands a form. What a buyer writes there comes into your{' '}
        <Link to={paths.leads}>messages</Link> and, unless you switched that off, to you by e-mail. Buyers
        need no account.
      </p>
      <h2>New, answered, closed</h2>
      <p>
        A message is new until you answer it or mark it as answered, for example after a call. Close it when
        it is settled: it leaves your way and is kept. Each can be opened again.
      </p>
      <h2>Answering</h2>
      <p>
        Your answer goes out by mail, and what the buyer writes back comes to your own mailbox. Who left only
        a phone number is called. The first answer often gets the sale: a buyer with a car on the lift asks
        three yards at once.
      </p>
      <h2>Calls instead of messages</h2>
      <p>
        In your <Link to={paths.accountSettings}>account settings</Link> you decide whether your phone number
        stands on your listings. If it does and you prefer the phone, the page of a part shows a button to
        call you first, and the form below it.
      </p>
      <h2>No messages at all?</h2>
      <p>
        Look at <Link to={paths.analytics}>Analytics</Link>. Parts that are not looked at need to{' '}
        <Link to={paths.helpArticle('being-found')}>be found</Link> first; parts that are looked at and not
        asked about usually miss a price, a picture or a word about faults.
      </p>
    </>
  )
}
