import { Link } from 'react-router'
import { paths } from '#web/paths.ts'

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
