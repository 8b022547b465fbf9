import { Alert, Anchor, Button, FileButton, Group, Progress, Stack, Text } from '@mantine/core'
import '@mantine/core/styles/Progress.layer.css'
import { Dropzone } from '@mantine/dropzone'
import '@mantine/dropzone/styles.layer.css'
import { IconFileSpreadsheet } from '@tabler/icons-react'
import sheet from '#web/artwork/sheet.svg?raw'
import { Drawing } from '#web/components/drawing.tsx'
import { formatBytes, formatCount, rowsInWords } from '#web/components/imports/import-words.ts'
import classes from './file-step.module.css'
import { downloadSample } from './sample-file.ts'
import { StepCard } from './step-card.tsx'
import type { ChosenFile } from './use-import-file.ts'

type FileStepProps = {
  chosen: ChosenFile
  onChoose: (file: File) => void
  /** While the file is on its way. */
  locked: boolean
}

export function FileStep({ chosen, onChoose, locked }: FileStepProps) {
  return (
    <StepCard number={1} title="Choose your file" done={chosen.step === 'ready'}>
      {chosen.step === 'ready' ? (
        <ReadyFile chosen={chosen} onChoose={onChoose} locked={locked} />
      ) : (
        <FileDrop chosen={chosen} onChoose={onChoose} />
      )}
    </StepCard>
  )
}

function FileDrop({ chosen, onChoose }: Pick<FileStepProps, 'chosen' | 'onChoose'>) {
  if (chosen.step === 'reading') {
    return (
      <Stack gap="xs">
        <Text role="status">Reading {chosen.name}…</Text>
        <Progress value={chosen.share * 100} color="sea" aria-label={`Reading ${chosen.name}`} />
      </Stack>
    )
  }
  return (
    <Stack gap="md">
      {chosen.step === 'none' && chosen.problem !== undefined && (
        <Alert color="bad" variant="light" role="alert">
          {chosen.problem}
        </Alert>
      )}
      <Dropzone
        onDrop={([file]) => file && onChoose(file)}
        multiple={false}
        // The button inside does the same and is reached by keyboard.
        activateOnClick={false}
        activateOnKeyboard={false}
        tabIndex={-1}
        className={classes.drop}
        inputProps={{ 'aria-hidden': true, tabIndex: -1 }}
      >
        <div className={classes.inside}>
          <Drawing svg={sheet} className={classes.drawing} />
          <Stack gap="sm" align="flex-start">
            <Text fz="lg" fw={600}>
              Drop the file that your yard system exports
            </Text>
            <Text className="second">
              CSV or CSV.GZ, of any size. The first line names the columns; their names and order are yours.
            </Text>
            <Group gap="md">
              <ChooseFile onChoose={onChoose} label="Choose file" />
              <Anchor component="button" type="button" onClick={downloadSample}>
                Download a sample file
              </Anchor>
            </Group>
          </Stack>
        </div>
      </Dropzone>
    </Stack>
  )
}

type ReadyProps = Omit<FileStepProps, 'chosen'> & { chosen: Extract<ChosenFile, { step: 'ready' }> }

function ReadyFile({ chosen, onChoose, locked }: ReadyProps) {
  const { file, records, headers } = chosen.file
  return (
    <Group justify="space-between" gap="md">
      <Group gap="sm" wrap="nowrap" miw={0}>
        <IconFileSpreadsheet size={32} stroke={1.4} aria-hidden className={classes.icon} />
        <div className={classes.name}>
          <Text fw={600}>{file.name}</Text>
          <Text className="second" role="status">
            {rowsInWords(records)} · {formatCount(headers.length)} columns · {formatBytes(file.size)}
          </Text>
        </div>
      </Group>
      <ChooseFile onChoose={onChoose} label="Choose another file" variant="default" disabled={locked} />
    </Group>
  )
}

type ChooseFileProps = {
  onChoose: (file: File) => void
  label: string
  variant?: 'filled' | 'default'
  disabled?: boolean
}

function ChooseFile({ onChoose, label, variant = 'filled', disabled = false }: ChooseFileProps) {
  return (
    // Phones know no .csv.gz; what the name says is checked after choosing.
    <FileButton
      onChange={(file) => file && onChoose(file)}
      accept=".csv,.gz,text/csv,application/gzip"
      disabled={disabled}
    >
      {({ onClick }) => (
        <Button onClick={onClick} variant={variant} disabled={disabled}>
          {label}
        </Button>
      )}
    </FileButton>
  )
}
