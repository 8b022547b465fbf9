import { Link, Outlet, ScrollRestoration } from 'react-router'
import { paths } from '#web/paths.ts'
import { useSiteFacts } from './head.tsx'

/** The frame of every public page. */
export function SiteLayout() {
  const { productName } = useSiteFacts()
  return (
    <>
      <header className="ink">
        <Link to={paths.home}>{productName}</Link>
      </header>
      <main id="main">
        <Outlet />
      </main>
      <ScrollRestoration />
    </>
  )
}
