import { Alert, Button, Card, Group, Progress, Stack, Text } from '@mantine/core'
import '@mantine/core/styles/Progress.layer.css'
import { IconFileSpreadsheet } from '@tabler/icons-react'
import { formatBytes, formatCount, rowsInWords } from '#web/components/imports/import-words.ts'
import classes from './file-bar.module.css'
import type { ImportFile } from './reading/import-file.ts'
import { ChooseFile } from './upload/choose-file.tsx'
import type { Wizard } from './wizard.ts'

/** The file that all tabs are about: while it is read, once it is, and where it cannot be. */
export function FileBar({ wizard }: { wizard: Wizard }) {
  const { chosen, file, choose, locked, said, readAs } = wizard
  if (chosen.step === 'reading') {
    return (
      <Card component="section" aria-label="Your file" mb="md" padding="md">
        <Stack gap="xs">
          <Text role="status">Reading {chosen.name}…</Text>
          <Progress value={chosen.share * 100} color="sea" aria-label={`Reading ${chosen.name}`} />
        </Stack>
      </Card>
    )
  }
  if (chosen.step === 'none') {
    if (chosen.problem === undefined) return null
    return (
      <Alert color="bad" variant="light" role="alert" mb="md">
        {chosen.problem}
        {Object.keys(said).length > 0 && (
          <div>
            <Button variant="default" size="xs" mt="xs" onClick={() => readAs({})}>
              Read it as it was detected
            </Button>
          </div>
        )}
      </Alert>
    )
  }
  if (file === undefined) return null
  return (
    <Card component="section" aria-label="Your file" mb="md" padding="md">
      <Group justify="space-between" gap="md">
        <Group gap="sm" wrap="nowrap" miw={0}>
          <IconFileSpreadsheet size={32} stroke={1.4} aria-hidden className={classes.icon} />
          <div className={classes.name}>
            <Text fw={600}>{file.file.name}</Text>
            <Text className="second" role="status">
              {factsOf(file)}
            </Text>
          </div>
        </Group>
        <ChooseFile onChoose={choose} label="Choose another file" variant="default" disabled={locked} />
      </Group>
    </Card>
  )
}

function factsOf({ records, headers, file, sheets, reading }: ImportFile): string {
  const facts = [rowsInWords(records), `${formatCount(headers.length)} columns`, formatBytes(file.size)]
  return sheets.length > 1
    ? [...facts, `sheet “${reading.sheet ?? sheets[0]}”`].join(' · ')
    : facts.join(' · ')
}
