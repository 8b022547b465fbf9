import { Link } from 'react-router'
import { paths } from '#web/paths.ts'

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
