import { paths } from '#web/paths.ts'

/** A way in the top navigation; `outside` leaves the app. */
export type NavigationItem = { label: string; to: string; outside?: boolean; prominent?: boolean }
type Navigation = { left: NavigationItem[]; right: NavigationItem[] }

/** The spec's ways (section 2). Signed in, Logout stands at the end; it is a button, not a way. */
export function navigationItems(signedIn: boolean, findPartsUrl: string | null | undefined): Navigation {
  if (signedIn) {
    return {
      left: [
        { label: 'My Dashboard', to: paths.userDashboard },
        { label: 'Analytics & Sales', to: paths.analytics },
        { label: 'Technical Support', to: paths.support },
        { label: 'How To Support Articles', to: paths.help },
      ],
      right: [],
    }
  }
  const findParts = findPartsUrl ? { to: findPartsUrl, outside: true } : { to: paths.parts }
  return {
    left: [
      { label: 'Home', to: paths.home },
      { label: 'Find Auto Parts', ...findParts },
    ],
    right: [
      { label: 'Login To Your Account', to: paths.login },
      { label: 'Register Become a Dealer', to: paths.register, prominent: true },
    ],
  }
}
