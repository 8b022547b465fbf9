import { Stack, Tabs, Title } from '@mantine/core'
import '@mantine/core/styles/Tabs.layer.css'
import { useState } from 'react'
import { JobArtifacts } from './job-artifacts.tsx'
import classes from './job-detail.module.css'
import { JobEvents } from './job-events.tsx'
import { JsonBlock } from './json-block.tsx'
import type { LiveJob } from './use-live-job.ts'

const tabs = ['Payload', 'Options', 'State', 'Events', 'Artifacts'] as const
type Tab = (typeof tabs)[number]

export function JobTabs({ live }: { live: LiveJob }) {
  const { job } = live
  const [tab, setTab] = useState<Tab>('Payload')
  const counts: Partial<Record<Tab, number>> = { Events: job._count.events, Artifacts: job._count.artifacts }
  return (
    <Tabs value={tab} onChange={(next) => setTab(tabs.find((known) => known === next) ?? 'Payload')}>
      <Tabs.List mb="sm" className={classes.tabs}>
        {tabs.map((name) => (
          <Tabs.Tab
            key={name}
            value={name}
            px={7}
            fz="sm"
            rightSection={
              (counts[name] ?? 0) > 0 && <span aria-hidden>{counts[name]?.toLocaleString('en-US')}</span>
            }
          >
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={tab}>
        <Content tab={tab} live={live} />
      </Tabs.Panel>
    </Tabs>
  )
}

function Content({ tab, live }: { tab: Tab; live: LiveJob }) {
  const { job } = live
  switch (tab) {
    case 'Payload':
      return <JsonBlock value={job.payload} what="payload" />
    case 'Options':
      return <JsonBlock value={job.options} what="options" />
    case 'State':
      return (
        <Stack gap="md">
          <JsonBlock value={job.state} what="state" />
          {job.result !== null && job.result !== undefined && (
            <Stack gap={0}>
              <Title order={4}>Result</Title>
              <JsonBlock value={job.result} what="result" />
            </Stack>
          )}
        </Stack>
      )
    case 'Events':
      return <JobEvents {...live} />
    case 'Artifacts':
      return <JobArtifacts job={job} />
  }
}
