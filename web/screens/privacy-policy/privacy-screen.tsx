import { Link } from 'react-router'
import { paths } from '#web/paths.ts'
import { Head, useSiteFacts } from '#web/site/head.tsx'
import { Page, Prose } from '#web/site/page.tsx'

/** The contract's number of days. Visitors do not load the contract, so a test compares the two. */
export const daysToReopen = 14

export function Component() {
  const { productName: name, orders } = useSiteFacts()
  return (
    <Page heading="Privacy Policy" lead="What we know about you, why, and who else can see it." width="text">
      <Head
        title="Privacy Policy"
        description="What we know about you, why, and who else can see it. No trackers, and your data is not for sale."
        canonical={paths.privacy}
      />
      <Prose>
        <h2>What is public</h2>
        <p>
          Your listings, including dealer name, town and state. Visitors see your phone number only if you
          turn that on. They never see your email address.
        </p>
        <h2>What we keep</h2>
        <ul>
          <li>
            Your name, email address and password. The password is stored as a hash that cannot be reversed.
          </li>
          <li>Your listings, their changes and their view counts.</li>
          <li>
            Messages between you and buyers, with the contact details buyers leave. Your inbox shows them, and
            the link in a buyer’s email shows that buyer what you both wrote.
          </li>
          <li>If you log in, your vehicles and the parts you save. Only you see them.</li>
          <li>
            Searches you save, with the email address they are for, until you delete them. Sellers see how
            many buyers want a part, and nothing about you.
          </li>
          <li>
            The time, IP address and browser of each sign-in, so that we notice if someone else uses your
            account. You can see them in your account settings.
          </li>
        </ul>
        {orders && <Orders name={name} />}
        <h2>Pictures</h2>
        <p>Cameras store the place and time in pictures. We remove both before anyone sees the picture.</p>
        <h2>On your device</h2>
        <p>
          We use no trackers. One cookie per account remembers that you signed in here before, so that you can
          still sign in while someone else guesses your password. It is sent only when you sign in. For ten
          seconds after you save something, another one makes sure that you see it; it is the same for
          everybody. Your browser also stores your {name} session, listing defaults, preferences and
          unfinished listings, and the vehicles and parts of your garage. Logging out removes them.
        </p>
        <h2>Who else can see it</h2>
        <p>
          We don’t sell your data. Stripe handles payments: it keeps what you enter there, and we learn only
          whether you can be paid{orders && ', and whether and how much you paid'}.
        </p>
        <h2>Your rights</h2>
        <p>
          In your <Link to={paths.accountSettings}>account settings</Link> you can download everything we
          store about you, correct it, or close your account. A closed account is erased after {daysToReopen}{' '}
          days: name, email, listings, pictures, imports, and the text of messages. What stays are invoices
          and payouts at Stripe, and our log of what was done and when, without your name and IP addresses.
        </p>
        <p>
          Anything else? <Link to={paths.support}>Contact us</Link>.
        </p>
      </Prose>
    </Page>
  )
}

/** Only where parts can be bought here. */
function Orders({ name }: { name: string }) {
  return (
    <>
      <h2>Orders</h2>
      <ul>
        <li>
          For an order we keep your name, email, phone, address, the VIN you entered, what you bought, and
          what happened. {name} never sees your card number: you enter it at Stripe. Where sales tax is added,
          Stripe also gets your name and address to compute it.
        </li>
        <li>
          Until an order is confirmed, the yard sees your first name, town, state, ZIP code and VIN. Then it
          sees your name, street, phone and email, which it needs to ship.
        </li>
        <li>
          90 days after an order is closed, the yard and the order’s link no longer show who and where you
          are. We keep the order itself for as long as the law wants invoices kept; administrators who look at
          it leave an entry in a log.
        </li>
        <li>
          An order is shown to anyone who has its link. Links stop working 90 days after the order is done, or
          when you choose “This wasn’t me”.
        </li>
        <li>
          To limit how many parts one buyer can hold, we keep a fingerprint of your email address, of a cookie
          and of your network, from which neither can be read.
        </li>
      </ul>
    </>
  )
}
