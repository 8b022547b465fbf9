import { useCallback, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { ImportField } from '#contract/csv/import-fields.ts'
import { type WizardTab, wizardTab } from './wizard-tabs.ts'

/** The element with this id gets the focus once its tab is open. */
type SoughtField = { field: ImportField; id: string }

/** The open tab, and how the user gets from one to another. */
export function useWizardTab() {
  const [tab, open] = useTabInUrl()
  const [sought, setSought] = useState<SoughtField>()
  /** The user opened a tab since choosing the file, and is not taken elsewhere. */
  const hasLeft = useRef(false)
  return {
    tab,
    open,
    goTo(next: WizardTab): void {
      hasLeft.current = true
      open(next)
    },
    sought,
    /** Opens a field's column, or its value for all rows. */
    seek(field: ImportField, place: 'mapping' | 'defaults'): void {
      setSought({ field, id: `${place === 'mapping' ? 'column' : 'default'}-${field}` })
      open(place)
    },
    /** Follows a file from when it is chosen until it is read. */
    arrival: {
      begin: (): void => {
        hasLeft.current = false
      },
      end: (next: WizardTab): void => {
        if (!hasLeft.current) open(next)
      },
    },
  }
}

/** The tab is stored in the URL, so that Back and reload keep it. */
function useTabInUrl() {
  const [params, setParams] = useSearchParams()
  const tab = wizardTab(params.get('tab'))
  const open = useCallback(
    (next: WizardTab) =>
      setParams(
        (now) => {
          const address = new URLSearchParams(now)
          address.set('tab', next)
          return address
        },
        // Don't add a history entry for the tab that is already open.
        { replace: next === tab, preventScrollReset: next === tab },
      ),
    [setParams, tab],
  )
  return [tab, open] as const
}
