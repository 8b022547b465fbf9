import { Link } from 'react-router'
import { proPlan } from '#web/components/plans/offers.ts'
import { onboardingFor, paths } from '#web/paths.ts'

export function AccountAndPassword() {
  return (
    <>
      <h2>Signing in</h2>
      <p>
        After several wrong passwords in a row we make you wait, each time twice as long. That stops people
        who guess; it also meets people who forgot. The message says how long.
      </p>
      <h2>A password worth having</h2>
      <p>
        At least 8 characters, and none of those that everybody takes. Four words that have nothing to do with
        each other are easier to keep than one word full of signs. Your browser’s password store works here,
        and pasting does too.
      </p>
      <h2>Forgotten it?</h2>
      <p>
        Ask for a link on <Link to={paths.forgotPassword}>Forgot password</Link>. It comes to the address of
        your account, works once, and for 30 minutes; with it you choose a new password and are signed out
        everywhere. The page says the same for every address, so nobody learns there who has an account. No
        mail? Check your spam folder, then write to <Link to={paths.support}>technical support</Link>.
      </p>
      <h2>Changing it</h2>
      <p>
        In your <Link to={paths.accountSettings}>account settings</Link>, with the current one. You stay
        signed in where you are, and are signed out on every other device. We tell you by mail whenever your
        password or address was changed.
      </p>
      <h2>Where you are signed in</h2>
      <p>
        The same page lists your devices, with the time each was last used. One that you do not know? Sign it
        out there, then change your password. “Sign out everywhere” ends them all, the one you are at too.
      </p>
      <h2>Shared computers</h2>
      <p>
        Logout ends the session at once, in every tab of that browser. Forgot to? Sign that computer out from
        your account settings.
      </p>
    </>
  )
}

export function Plans() {
  return (
    <>
      <p>
        The free plan takes as many parts as you have, without an end date. {proPlan.name} costs $
        {proPlan.priceDollars} per month and adds what a whole stock needs, above all the import of your yard
        system’s file. Both stand side by side on <Link to={onboardingFor('pro')}>the plans page</Link>.
      </p>
      <h2>Upgrade to Pro</h2>
      <p>
        Choose <em>Upgrade to Pro</em> on <Link to={paths.sellerDashboard}>your seller dashboard</Link>. You
        pay on a page of Stripe; we never see your card. Back here, Pro starts as soon as Stripe has confirmed
        the payment, usually within seconds. If it takes longer, you do not have to wait: it starts on its
        own.
      </p>
      <h2>When a payment fails</h2>
      <p>
        The status of your subscription turns to <em>past due</em> and Pro goes on while Stripe tries again.
        Update your card under <em>Manage Billing</em> in{' '}
        <Link to={paths.accountSettings}>your settings</Link>. If no payment succeeds, your account returns to
        the free plan.
      </p>
      <h2>Cancel</h2>
      <p>
        Also under <em>Manage Billing</em>. Pro stays until the end of the month you have paid for; your
        settings name the day. After that all your listings stay public, on the free plan.
      </p>
      <h2>When the page looks behind</h2>
      <p>
        <em>Refresh Status</em> asks Stripe anew how your subscription and your payouts stand.
      </p>
    </>
  )
}

export function Payouts() {
  return (
    <>
      <p>
        Payouts run through Stripe Connect: you open a connected account with Stripe, Stripe checks who you
        are, and pays out to your bank. Begin it on{' '}
        <Link to={paths.sellerDashboard}>your seller dashboard</Link>; you can stop half-way and resume later.
        Your listings are public and found without it.
      </p>
      <h2>What Stripe will ask for</h2>
      <ul>
        <li>Your business, or your own name if you sell as a person, and a tax number.</li>
        <li>The date of birth and address of the person who signs for it.</li>
        <li>A bank account in the same country.</li>
      </ul>
      <p>We see whether the check is done; we see neither your documents nor your bank details.</p>
      <h2>What the status means</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">Status</th>
            <th scope="col">Meaning</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">not started</th>
            <td>There is no connected account yet.</td>
          </tr>
          <tr>
            <th scope="row">in progress</th>
            <td>Begun, but Stripe still waits for something from you.</td>
          </tr>
          <tr>
            <th scope="row">pending</th>
            <td>Everything is sent; Stripe is checking.</td>
          </tr>
          <tr>
            <th scope="row">verified</th>
            <td>Payouts are active.</td>
          </tr>
          <tr>
            <th scope="row">rejected</th>
            <td>
              Stripe declined the account. Write to Technical Support, and we will help you find out why.
            </td>
          </tr>
        </tbody>
      </table>
      <p>
        Yours stands on <Link to={paths.userDashboard}>My Dashboard</Link>.
      </p>
    </>
  )
}
