import { useCallback } from 'react'
import { useSearchParams } from 'react-router'
import { type WizardTab, wizardTab } from './wizard-tabs.ts'

/** The tab stands in the address, so that Back and reload keep it. */
export function useWizardTab() {
  const [params, setParams] = useSearchParams()
  const tab = wizardTab(params.get('tab'))
  const goTo = useCallback(
    (next: WizardTab) =>
      setParams(
        (now) => {
          const address = new URLSearchParams(now)
          address.set('tab', next)
          return address
        },
        // Somebody who looks at a tab already came from another one.
        { replace: next === tab, preventScrollReset: next === tab },
      ),
    [setParams, tab],
  )
  return [tab, goTo] as const
}
