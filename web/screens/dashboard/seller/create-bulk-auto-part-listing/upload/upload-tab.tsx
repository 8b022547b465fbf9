import { Button, Stack, Text } from '@mantine/core'
import bar from '#web/components/form/save-bar.module.css'
import { rowsInWords } from '#web/components/imports/import-words.ts'
import { RunOptionsCard } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/run/run-options-card.tsx'
import { SectionCard } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/section-card.tsx'
import type { Wizard } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/wizard.ts'
import { DropZone } from './drop-zone.tsx'
import { ReadingPanel } from './reading-panel.tsx'

/** The file, how it is read, and how its rows are sent. */
export function UploadTab({ wizard }: { wizard: Wizard }) {
  const { file, choose, locked, options, preview, chosen } = wizard
  const checksOnly = options.dryRun || preview
  return (
    <Stack gap="md">
      {!file && chosen.step !== 'reading' && (
        <SectionCard title="Choose your file">
          <DropZone onChoose={choose} />
        </SectionCard>
      )}
      {file && <ReadingPanel key={file.file.name} wizard={wizard} file={file} />}
      <RunOptionsCard wizard={wizard} />
      <section className={bar.bar} aria-label="Way on">
        <Text className="second">{file ? rowsInWords(file.records) : 'No file yet'}</Text>
        <Button
          size="md"
          disabled={locked}
          onClick={() => (checksOnly ? wizard.check() : wizard.startImport())}
        >
          {checksOnly ? 'Validate (dry run)' : 'Run import'}
        </Button>
      </section>
    </Stack>
  )
}
