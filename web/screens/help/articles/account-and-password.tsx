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
        A reset by mail is not built yet. Write to <Link to={paths.support}>technical support</Link> from the
        address of your account, and a person will help.
      </p>
      <h2>Shared computers</h2>
      <p>
        Logout ends the session at once, in every tab of that browser. Sessions on other devices go on until
        you log out there, or until you change your password, which ends them all but the one you are in.
      </p>
    </>
  )
}
