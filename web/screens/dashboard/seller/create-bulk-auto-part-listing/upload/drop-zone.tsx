import { Anchor, Group, Stack, Text } from '@mantine/core'
import sheet from '#web/artwork/sheet.svg?raw'
import { Drawing } from '#web/components/page/empty-state.tsx'
import { ChooseFile } from './choose-file.tsx'
import classes from './drop-zone.module.css'
import { downloadSample } from './sample-file.ts'

/** Where a file is dropped, as people look for it; in truth the whole page takes it. */
export function DropZone({ onChoose }: { onChoose: (file: File) => void }) {
  return (
    <div className={classes.zone}>
      <Drawing svg={sheet} className={classes.drawing} />
      <Stack gap="sm" align="flex-start">
        <Text fz="lg" fw={600}>
          Drop the file that your yard system exports
        </Text>
        <Text className="second">
          CSV, CSV.GZ, TSV or an Excel workbook (.xlsx). The names and the order of its columns are yours.
        </Text>
        <Group gap="md">
          <ChooseFile onChoose={onChoose} label="Choose file" />
          <Anchor component="button" type="button" onClick={downloadSample}>
            Download a sample file
          </Anchor>
        </Group>
      </Stack>
    </div>
  )
}
