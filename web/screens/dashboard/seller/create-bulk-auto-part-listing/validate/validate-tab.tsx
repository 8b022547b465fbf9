import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { EmptyState } from '#web/components/page/empty-state.tsx'
import type { Wizard } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/wizard.ts'
import { Checked } from './checked.tsx'

type ValidateTabProps = {
  wizard: Wizard
  /** A dry run on its way, or how it stopped; nothing where there is none. */
  underway?: ReactNode
}

/** Every row checked, nothing written: what would change, what is wrong, and the place to put it right. */
export function ValidateTab({ wizard, underway }: ValidateTabProps) {
  const { state } = wizard.run
  if (state.step === 'checked') {
    return <Checked wizard={wizard} order={state.order} result={state.result} />
  }
  if (underway) return underway
  const isReady = wizard.file !== undefined
  return (
    <EmptyState
      title="Nothing is checked yet"
      text="A dry run reads every row, tells what an import would change and what needs correction. It writes nothing."
      action={
        isReady ? (
          <Button onClick={wizard.check} disabled={wizard.locked}>
            Validate (dry run)
          </Button>
        ) : (
          <Button onClick={() => wizard.goTo('guide')}>Choose a file</Button>
        )
      }
    />
  )
}
