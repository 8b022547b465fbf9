import { Anchor, Button, Group, List, SimpleGrid, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import { importFieldLabels, requiredImportFields } from '#contract/csv/import-fields.ts'
import { ExportOwnParts } from '#web/components/downloads.tsx'
import { paths } from '#web/paths.ts'
import {
  DropZone,
  downloadSample,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/upload/drop-zone.tsx'
import type { Wizard } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/wizard/wizard.ts'
import { RecentImports } from './results-tab.tsx'
import { SectionCard } from './section-card.tsx'

const steps = [
  'Drop the file of your yard system. We find out how it is written and which column is which.',
  'Look the columns over and press “Check rows”: a dry run reads every row and writes nothing.',
  'Correct what is wrong right there, or leave those rows out.',
  'Run the import. You see what is new, updated and unchanged, and can take all of it back for 30 days.',
]

const needed = requiredImportFields.map((field) => importFieldLabels[field].toLowerCase())

/** Where a seller begins who was never here, and where earlier imports are found. */
export function GuideTab({ wizard }: { wizard: Wizard }) {
  const { file, choose, chosen, goTo } = wizard
  return (
    <Stack gap="md">
      {file === undefined && chosen.step !== 'reading' ? (
        <SectionCard title="Begin with your file">
          <DropZone onChoose={choose} />
        </SectionCard>
      ) : (
        file && (
          <SectionCard title="Your file is read">
            <Group gap="md">
              <Button onClick={() => goTo('mapping')}>Match the columns</Button>
              <Text className="second">Drop another file anywhere on the page to begin with that one.</Text>
            </Group>
          </SectionCard>
        )
      )}
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        <SectionCard title="How it works">
          <List type="ordered" spacing="xs">
            {steps.map((step) => (
              <List.Item key={step}>{step}</List.Item>
            ))}
          </List>
        </SectionCard>
        <SectionCard title="What the file needs">
          <Stack gap="sm">
            <Text>
              A row that names the columns, and for every part its {needed.slice(0, -1).join(', ')} and{' '}
              {needed.at(-1)}. What is the same in all rows may be given once under Defaults.
            </Text>
            <Text>Tip: imageUrl should be jpg/png/webp with about 1.5 MB max fetch.</Text>
            <Group gap="md">
              <Anchor component={Link} to={paths.helpArticle('importing')}>
                What each column may hold
              </Anchor>
              <Anchor component="button" type="button" onClick={downloadSample}>
                Download a sample file
              </Anchor>
            </Group>
            <Text>
              What you have on sale can be exported, edited in a spreadsheet and imported again: only what you
              changed changes.
            </Text>
            <Group>
              <ExportOwnParts />
            </Group>
          </Stack>
        </SectionCard>
      </SimpleGrid>
      <RecentImports />
    </Stack>
  )
}
