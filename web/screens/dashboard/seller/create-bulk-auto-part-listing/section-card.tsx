import { Button, Card, Group, Text, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import bar from '#web/components/form/save-bar.module.css'
import { rowsInWords } from '#web/components/imports/import-words.ts'
import type { Wizard } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/wizard/wizard.ts'

type SectionCardProps = {
  title: string
  lead?: ReactNode
  /** Beside the title. */
  aside?: ReactNode
  children: ReactNode
}

/** One matter of a tab. */
export function SectionCard({ title, lead, aside, children }: SectionCardProps) {
  const titleId = useId()
  return (
    <Card component="section" aria-labelledby={titleId}>
      <Group justify="space-between" gap="sm" align="baseline" mb="md">
        <div>
          <Title order={2} size="h3" id={titleId}>
            {title}
          </Title>
          {lead !== undefined && <Text className="second">{lead}</Text>}
        </div>
        {aside}
      </Group>
      {children}
    </Card>
  )
}

/** The one button that leads on from columns and values; in sight wherever the page is scrolled to. */
export function WayOn({ wizard }: { wizard: Wizard }) {
  const { file, check, locked, run } = wizard
  if (file === undefined) return null
  const checked = run.state.step === 'checked'
  return (
    <section className={bar.bar} aria-label="Way on">
      <Text className="second">
        {rowsInWords(file.records)} · {checked ? 'checked' : 'checking writes nothing'}
      </Text>
      <Group gap="sm">
        {checked && (
          <Button variant="default" onClick={() => wizard.goTo('validate')}>
            See what was found
          </Button>
        )}
        <Button onClick={check} disabled={locked} size="md">
          Check rows
        </Button>
      </Group>
    </section>
  )
}
