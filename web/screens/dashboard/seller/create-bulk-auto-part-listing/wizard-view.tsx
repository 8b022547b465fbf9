import { Alert, Anchor, Tabs } from '@mantine/core'
import '@mantine/core/styles/Tabs.layer.css'
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import { focusFirstProblem } from '#web/components/form/problems.ts'
import { DefaultsTab } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/defaults/defaults-tab.tsx'
import { MappingTab } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/mapping/mapping-tab.tsx'
import { RunTab } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/run/run-tab.tsx'
import { UploadTab } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/upload/upload-tab.tsx'
import { ValidateTab } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/validate/validate-tab.tsx'
import type { Wizard } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/wizard/use-wizard.ts'
import {
  type WizardTab,
  wizardTab,
  wizardTabs,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/wizard/wizard-tabs.ts'
import { GuideTab } from './guide-tab.tsx'
import { ResultsTab } from './results-tab.tsx'
import classes from './wizard-view.module.css'

export function WizardView({ wizard }: { wizard: Wizard }) {
  const { tab, goTo } = wizard
  const panel = useRef<HTMLDivElement>(null)
  const bar = useCurrentTabInSight(tab)
  useFocus(panel, wizard)
  return (
    // Arrow keys move between tabs and Enter opens one, because each opened tab adds a history entry.
    <Tabs value={tab} onChange={(next) => goTo(wizardTab(next))} activateTabWithKeyboard={false}>
      <Tabs.List ref={bar} className={classes.tabs} aria-label="Bulk import steps">
        {wizardTabs.map(({ tab: value, label }) => (
          <Tabs.Tab key={value} value={value} className={classes.tab}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {wizardTabs.map(({ tab: value }) => (
        <Tabs.Panel key={value} value={value} tabIndex={-1} className={classes.panel}>
          {value === tab && (
            <div ref={panel}>
              <ObstacleAlert wizard={wizard} />
              {contents[value](wizard)}
            </div>
          )}
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}

const contents: Record<WizardTab, (wizard: Wizard) => ReactNode> = {
  guide: (wizard) => <GuideTab wizard={wizard} />,
  mapping: (wizard) => <MappingTab wizard={wizard} />,
  defaults: (wizard) => <DefaultsTab wizard={wizard} />,
  upload: (wizard) => <UploadTab wizard={wizard} />,
  validate: (wizard) => <ValidateTab wizard={wizard} />,
  run: (wizard) => <RunTab wizard={wizard} />,
  results: (wizard) => <ResultsTab wizard={wizard} />,
}

function ObstacleAlert({ wizard: { obstacle, tab, goTo } }: { wizard: Wizard }) {
  if (obstacle === undefined) return null
  const place = wizardTabs.find((one) => one.tab === obstacle.tab)
  return (
    <Alert color="bad" variant="light" role="alert" mb="md">
      {obstacle.sentence}
      {obstacle.tab !== tab && (
        <>
          {' '}
          <Anchor
            component="button"
            type="button"
            inherit
            underline="always"
            onClick={() => goTo(obstacle.tab)}
          >
            Go to {place?.label}
          </Anchor>
        </>
      )}
    </Alert>
  )
}

/** Scrolls the open tab into view, because the tab bar is wider than a phone. */
function useCurrentTabInSight(tab: WizardTab): RefObject<HTMLDivElement | null> {
  const bar = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab is in another place
  useEffect(() => {
    const current = bar.current?.querySelector<HTMLElement>('[aria-selected=true]')
    if (bar.current && current) bar.current.scrollLeft = current.offsetLeft - bar.current.offsetLeft - 16
  }, [tab])
  return bar
}

/**
 * Focuses the first problem when the user cannot continue. If a clicked button disappeared with its tab, focuses the new
 * tab's content.
 */
function useFocus(panel: RefObject<HTMLDivElement | null>, { tries, tab, obstacle }: Wizard): void {
  const leadToProblem = useEffectEvent(() => {
    if (obstacle !== undefined && panel.current) focusFirstProblem(panel.current)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs at each try, whatever it was about
  useEffect(() => leadToProblem(), [tries])
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs at each change of the tab
  useEffect(() => {
    const isLost = document.activeElement === null || document.activeElement === document.body
    if (isLost) panel.current?.parentElement?.focus({ preventScroll: true })
  }, [tab])
}
