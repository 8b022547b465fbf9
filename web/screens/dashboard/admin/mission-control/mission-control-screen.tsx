import { lazy, Suspense } from 'react'
import { Link, useSearchParams } from 'react-router'
import empty from '#web/artwork/empty.svg?url'
import { Page } from '#web/components/page/page.tsx'
import tabs from '#web/components/page/tabs.module.css'
import { useScrollToCurrent } from '#web/components/page/tabs.ts'
import { Waiting } from '#web/components/page/waiting.tsx'
import { paths } from '#web/paths.ts'
import { Empty } from '#web/site/page.tsx'
import { type MissionView, missionViews, viewIn, withView } from './mission-views.ts'
import { WaitingQuestions } from './waiting-questions.tsx'

const JobsView = lazy(async () => ({
  default: (await import('#web/screens/dashboard/admin/mission-control/jobs/jobs-view.tsx')).JobsView,
}))
const PreprocessView = lazy(async () => ({
  default: (await import('#web/screens/dashboard/admin/mission-control/preprocess/preprocess-view.tsx'))
    .PreprocessView,
}))

export function Component() {
  const view = viewIn(useSearchParams()[0])
  return (
    <Page title="Mission Control" width="full">
      <MissionTabs view={view} />
      <WaitingQuestions />
      <Suspense fallback={<Waiting />}>
        <View view={view} />
      </Suspense>
    </Page>
  )
}

function View({ view }: { view: MissionView }) {
  switch (view) {
    case 'jobs':
      return <JobsView />
    case 'preprocess':
      return <PreprocessView />
    case 'ebay':
      return <ComingSoon text="Collects prices of parts sold on eBay." />
    case 'hollander':
      return <ComingSoon text="Collects Hollander interchange numbers." />
  }
}

const ComingSoon = ({ text }: { text: string }) => <Empty drawing={empty} title="Coming soon" text={text} />

const adminLinks = [
  { to: paths.adminDashboard, label: 'Admin Dashboard' },
  { to: paths.manageProducts, label: 'Admin Home Dash' },
]

function MissionTabs({ view: current }: { view: MissionView }) {
  const [params] = useSearchParams()
  const bar = useScrollToCurrent(current)
  return (
    <nav ref={bar} className={tabs.bar} aria-label="Mission Control">
      {missionViews.map(({ view, label }) => (
        <Link
          key={view}
          to={{ search: withView(params, view).toString() }}
          className={tabs.tab}
          aria-current={view === current ? 'page' : undefined}
        >
          {label}
        </Link>
      ))}
      {adminLinks.map(({ to, label }) => (
        <Link key={to} to={to} className={tabs.tab}>
          {label}
        </Link>
      ))}
    </nav>
  )
}
