import { Link } from 'react-router'
import { onboardingFor, paths } from '#web/paths.ts'
import { featuredInWords, proPlan, usePlanPrice } from '#web/site/plans/offers.ts'
import { Definitions } from './definitions.tsx'

export function AccountAndPassword() {
  return (
    <>
      <h2>Signing in</h2>
      <p>
        After several wrong passwords in a row, you have to wait before you can try again. The wait doubles
        each time, and the message shows how long it is. This keeps people from guessing your password.
      </p>
      <h2>Choosing a password</h2>
      <p>
        Use at least 8 characters and avoid common passwords. Four unrelated words are easier to remember than
        one word full of symbols. Password managers and pasting both work.
      </p>
      <h2>Forgot your password?</h2>
      <p>
        Request a reset link on the <Link to={paths.forgotPassword}>Forgot password</Link> page. We send it to
        your account’s email address. The link works once, for 30 minutes. Setting a new password signs you
        out everywhere and ends all your API tokens. For your privacy, the page shows the same message whether
        or not an account exists. No email? Check your spam folder, then contact{' '}
        <Link to={paths.support}>technical support</Link>.
      </p>
      <h2>Changing your password</h2>
      <p>
        Go to <Link to={paths.accountSettings}>account settings</Link> and enter your current password. You
        stay signed in on this device and are signed out everywhere else. API tokens end with the old
        password; you can keep one. We email you whenever your password or email address changes.
      </p>
      <h2>Two-step sign-in</h2>
      <p>
        In account settings you can add a passkey (a fingerprint, face or PIN of your device) or an
        authenticator app. From then on, nobody gets in with a stolen password alone. Download the recovery
        codes: each one signs you in once if you lose your phone. Lost everything? Contact{' '}
        <Link to={paths.support}>technical support</Link>. For payout settings, devices and sign-in changes we
        ask for your password again if you signed in more than 10 minutes ago.
      </p>
      <h2>Your devices</h2>
      <p>
        Account settings also lists the devices you are signed in on and when each was last used. If you see
        one you don’t recognize, sign it out and change your password. “Sign out everywhere” signs out every
        device, including this one, and ends all your API tokens.
      </p>
      <h2>Shared computers</h2>
      <p>
        Logout ends your session right away in every tab of that browser. If you forgot to log out, sign that
        computer out from your account settings.
      </p>
    </>
  )
}

export function Plans() {
  return (
    <>
      <p>
        The free plan has no listing limit and never expires. {proPlan.name} costs {usePlanPrice('pro')} per
        month and adds tools for a full inventory, including bulk import. Compare them on{' '}
        <Link to={onboardingFor('pro')}>the plans page</Link>.
      </p>
      <h2>Priority placement</h2>
      <p>{featuredInWords}</p>
      <h2>Upgrade to Pro</h2>
      <p>
        Choose <em>Upgrade to Pro</em> on <Link to={paths.sellerDashboard}>your seller dashboard</Link>. You
        pay on Stripe’s site, so we never see your card. Pro starts as soon as Stripe confirms the payment,
        usually within seconds. If it takes longer, you don’t have to wait: Pro starts automatically.
      </p>
      <h2>If a payment fails</h2>
      <p>
        Your subscription becomes <em>past due</em>, and you keep Pro while Stripe retries the payment. Update
        your card under <em>Manage Billing</em> in <Link to={paths.accountSettings}>your settings</Link>. If
        every retry fails, your account goes back to the free plan.
      </p>
      <h2>Cancel</h2>
      <p>
        Cancel any time under <em>Manage Billing</em>. You keep Pro until the end of the month you paid for;
        your settings show the date. After that, your listings stay public on the free plan.
      </p>
      <h2>If the status looks out of date</h2>
      <p>
        Click <em>Refresh Status</em> to get the latest subscription and payout status from Stripe.
      </p>
    </>
  )
}

export function Payouts() {
  return (
    <>
      <p>
        Payouts run through Stripe Connect. You open a connected account, Stripe verifies your identity, and
        pays out to your bank. Start on <Link to={paths.sellerDashboard}>your seller dashboard</Link>; you can
        stop partway and resume later. Buyers can find your listings even if you haven’t set up payouts.
      </p>
      <h2>What Stripe asks for</h2>
      <ul>
        <li>Your business details, or your own name if you sell as an individual, and a tax ID.</li>
        <li>The date of birth and address of the person who represents the business.</li>
        <li>A bank account in the same country.</li>
      </ul>
      <p>We only see whether you are verified. We never see your documents or bank details.</p>
      <h2>What the status means</h2>
      <Definitions
        head={['Status', 'Meaning']}
        rows={[
          ['not started', 'You have no connected account yet.'],
          ['in progress', 'Started. Stripe needs more details from you.'],
          ['pending', 'You sent everything. Stripe is reviewing it.'],
          ['verified', 'Payouts are active.'],
          [
            'rejected',
            'Stripe declined the account. Contact Technical Support and we’ll help you find out why.',
          ],
        ]}
      />
      <p>
        Your status is on <Link to={paths.userDashboard}>My Dashboard</Link>.
      </p>
    </>
  )
}
