import { Button, Group, Text } from '@mantine/core'
import bar from '#web/components/form/save-bar.module.css'
import { rowsInWords } from '#web/components/imports/import-words.ts'
import type { Wizard } from './wizard.ts'

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
