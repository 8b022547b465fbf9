import { Link } from 'react-router'
import { useProductName } from '#web/api/site.ts'
import { Page } from '#web/components/page/page.tsx'
import { Prose } from '#web/components/page/prose.tsx'
import { paths } from '#web/paths.ts'

export function Component() {
  const name = useProductName()
  return (
    <Page title="Privacy Policy" lead="What we know about you, why, and who else sees it." width="text">
      <Prose>
        <h2>What is public</h2>
        <p>
          Your listings, with the dealer name, town and state in them. Your phone number is shown to visitors
          only if you switch that on. Your e-mail address is not shown.
        </p>
        <h2>What we keep</h2>
        <ul>
          <li>
            Your name, e-mail address and password; the password only as a hash that cannot be turned back.
          </li>
          <li>Your listings, their changes, and how often their pages were looked at.</li>
          <li>
            What buyers write to you, with the name and address they leave, and what you answer. It is shown
            in your inbox only.
          </li>
          <li>
            When, from which address and with which browser somebody signed in, to notice those who try to be
            you; your account settings show it to you.
          </li>
        </ul>
        <h2>Pictures</h2>
        <p>
          Cameras write the place and the time into pictures. We remove both before anybody sees the picture.
        </p>
        <h2>On your device</h2>
        <p>
          We set no cookies and use no trackers. Your browser keeps your session, your listing defaults, your
          preferences and unfinished listings for {name}; Logout removes the session.
        </p>
        <h2>Who else sees it</h2>
        <p>
          Nobody buys it. Payments are Stripe’s: what you enter there stays there, and we learn whether you
          can be paid.
        </p>
        <h2>Your say</h2>
        <p>
          Ask what we keep about you, have it corrected or deleted:{' '}
          <Link to={paths.support}>write to us</Link>.
        </p>
      </Prose>
    </Page>
  )
}
