import { Link } from 'react-router'
import { paths } from '#web/paths.ts'

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
