import { Button, Group, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import bar from '#web/components/form/save-bar.module.css'
import { rowsInWords } from '#web/components/imports/import-words.ts'
import type { Wizard } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/wizard/use-wizard.ts'

/** Details that sellers rarely need: staging paths, chunks. */
export function Details({ label = 'Details', children }: { label?: string; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{label}</summary>
      {isOpen && <div style={{ marginTop: 'var(--mantine-spacing-sm)' }}>{children}</div>}
    </details>
  )
}

/** The sticky bar with the “Check rows” button. */
export function NextStepBar({ wizard }: { wizard: Wizard }) {
  const { file, check, locked, run } = wizard
  if (file === undefined) return null
  const checked = run.state.step === 'checked'
  return (
    <section className={bar.bar} aria-label="Next step">
      <Text className="second">
        {rowsInWords(file.records)} · {checked ? 'checked' : 'checking changes nothing'}
      </Text>
      <Group gap="sm">
        {checked && (
          <Button variant="default" onClick={() => wizard.goTo('validate')}>
            View results
          </Button>
        )}
        <Button onClick={check} disabled={locked} size="md">
          Check rows
        </Button>
      </Group>
    </section>
  )
}
