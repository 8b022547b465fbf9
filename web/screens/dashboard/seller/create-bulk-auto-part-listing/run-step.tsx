import { Alert, Button, Checkbox, Group, Radio, Stack, Text } from '@mantine/core'
import '@mantine/core/styles/RadioCard.layer.css'
import '@mantine/core/styles/RadioIndicator.layer.css'
import { type ImportMode, importModes } from '#contract/imports.ts'
import { rowsInWords } from '#web/components/imports/import-words.ts'
import classes from './run-step.module.css'
import { StepCard } from './step-card.tsx'

export type RunChoice = { mode: ImportMode; dryRun: boolean }

type RunStepProps = {
  records: number
  choice: RunChoice
  onChange: (choice: RunChoice) => void
  onStart: () => void
  /** An administrator without the plan may look, not import. */
  preview: boolean
  /** The way on is elsewhere: what is in this file was checked. */
  checked: boolean
}

const modes: Record<ImportMode, { label: string; text: string }> = {
  add: {
    label: 'Add and update',
    text: 'New parts are listed, known ones take the values of the file. Nothing else is touched.',
  },
  replace: {
    label: 'Replace my stock',
    text: 'The file is your whole stock: besides, parts of earlier imports that it lacks end as sold elsewhere. Above 20 % of them you are asked before anything changes.',
  },
}

export const modeLabel = (mode: ImportMode): string => modes[mode].label

const isMode = (value: string): value is ImportMode => importModes.some((mode) => mode === value)

export function RunStep({ records, choice, onChange, onStart, preview, checked }: RunStepProps) {
  const { mode, dryRun } = choice
  const checksOnly = dryRun || preview
  return (
    <StepCard number={4} title="Check and import">
      <Stack gap="md">
        <Radio.Group
          label="What it does to your listings"
          value={mode}
          onChange={(value) => isMode(value) && onChange({ ...choice, mode: value })}
        >
          <div className={classes.modes}>
            {importModes.map((value) => (
              <Radio.Card key={value} value={value} className={classes.mode}>
                <Group wrap="nowrap" align="flex-start" gap="sm">
                  <Radio.Indicator mt={2} className={classes.indicator} />
                  <div>
                    <Text fw={600}>{modes[value].label}</Text>
                    <Text size="sm" className="second">
                      {modes[value].text}
                    </Text>
                  </div>
                </Group>
              </Radio.Card>
            ))}
          </div>
        </Radio.Group>
        <Checkbox
          checked={checksOnly}
          disabled={preview}
          onChange={(event) => onChange({ ...choice, dryRun: event.currentTarget.checked })}
          label="Dry run"
          description="Reads every row and tells what is wrong and what would change. Writes nothing."
        />
        {preview && (
          <Alert color="sea" variant="light">
            You see this page as an administrator: you can check a file as sellers do. Importing needs the Pro
            plan.
          </Alert>
        )}
        <Group gap="md">
          <Button size="md" onClick={onStart} variant={checked ? 'default' : 'filled'}>
            {checksOnly ? 'Validate (dry run)' : 'Run import'}
          </Button>
          <Text className="second">{rowsInWords(records)}</Text>
        </Group>
      </Stack>
    </StepCard>
  )
}
