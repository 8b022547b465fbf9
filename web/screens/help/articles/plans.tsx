import { Link } from 'react-router'
import { proPlan } from '#web/components/plans/offers.ts'
import { onboardingFor, paths } from '#web/paths.ts'

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
