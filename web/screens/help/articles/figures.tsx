import { Link } from 'react-router'
import { paths } from '#web/paths.ts'

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
