import { Anchor, Button, Group, List, SimpleGrid, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import { importFieldLabels, requiredImportFields } from '#contract/csv/import-fields.ts'
import { ExportOwnParts } from '#web/components/downloads.tsx'
import { SectionCard } from '#web/components/page/section-card.tsx'
import { paths } from '#web/paths.ts'
import {
  DropZone,
  downloadSample,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/upload/drop-zone.tsx'
import type { Wizard } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/wizard/use-wizard.ts'
import { RecentImports } from './results-tab.tsx'

const steps = [
  'Drop your inventory file. We detect its format and match its columns.',
  'Review the columns and click “Check rows”. The dry run changes nothing.',
  'Fix any problems right here, or leave those rows out.',
  'Run the import. You see what is new, updated and unchanged, and you can undo it for 30 days.',
]

const needed = requiredImportFields.map((field) => importFieldLabels[field].toLowerCase())

export function GuideTab({ wizard }: { wizard: Wizard }) {
  const { file, choose, chosen, goTo } = wizard
  return (
    <Stack gap="md">
      {file === undefined && chosen.step !== 'reading' ? (
        <SectionCard title="Start with your file">
          <DropZone onChoose={choose} />
        </SectionCard>
      ) : (
        file && (
          <SectionCard title="Your file is ready">
            <Group gap="md">
              <Button onClick={() => goTo('mapping')}>Match the columns</Button>
              <Text className="second">To use a different file, drop it anywhere on the page.</Text>
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
              A header row, and for every part its {needed.slice(0, -1).join(', ')} and {needed.at(-1)}. Enter
              values that are the same in all rows once, under Defaults.
            </Text>
            <Text>Tip: imageUrl should be jpg/png/webp with about 1.5 MB max fetch.</Text>
            <Group gap="md">
              <Anchor component={Link} to={paths.helpArticle('importing')}>
                What each column can contain
              </Anchor>
              <Anchor component="button" type="button" onClick={downloadSample}>
                Download a sample file
              </Anchor>
            </Group>
            <Text>
              You can export your listings, edit them in a spreadsheet and import them again. Only your edits
              are applied.
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
