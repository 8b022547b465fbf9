import { lazy, Suspense } from 'react'
import { useSearchParams } from 'react-router'
import empty from '#web/artwork/empty.svg?raw'
import { EmptyState } from '#web/components/empty-state.tsx'
import { Page } from '#web/components/page.tsx'
import { Waiting } from '#web/components/waiting.tsx'
import { MissionTabs } from './mission-tabs.tsx'
import { type MissionView, viewIn } from './mission-views.ts'

const JobsView = lazy(async () => ({ default: (await import('./jobs/jobs-view.tsx')).JobsView }))
const PreprocessView = lazy(async () => ({
  default: (await import('./preprocess/preprocess-view.tsx')).PreprocessView,
}))

/** The window into background work; `view` in the address says which part of it. */
export function Component() {
  const view = viewIn(useSearchParams()[0])
  return (
    <Page title="Mission Control" width="full">
      <MissionTabs view={view} />
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
      return <ComingSoon text="Prices of parts as they are sold on eBay will be gathered from here." />
    case 'hollander':
      return <ComingSoon text="Interchange numbers of Hollander will be gathered from here." />
  }
}

const ComingSoon = ({ text }: { text: string }) => (
  <EmptyState drawing={empty} title="Coming soon" text={text} />
)
