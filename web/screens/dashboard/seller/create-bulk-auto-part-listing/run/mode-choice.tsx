import { Group, Radio, Text } from '@mantine/core'
import '@mantine/core/styles/RadioCard.layer.css'
import '@mantine/core/styles/RadioIndicator.layer.css'
import { type ImportMode, importModes } from '#contract/imports.ts'
import classes from './mode-choice.module.css'

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

const isMode = (value: string): value is ImportMode => importModes.some((mode) => mode === value)

type ModeChoiceProps = { mode: ImportMode; onChange: (mode: ImportMode) => void; disabled?: boolean }

/** What an import is to the listings that are there. */
export function ModeChoice({ mode, onChange, disabled = false }: ModeChoiceProps) {
  return (
    <Radio.Group
      label="What it does to your listings"
      value={mode}
      onChange={(value) => isMode(value) && onChange(value)}
    >
      <div className={classes.modes}>
        {importModes.map((value) => (
          <Radio.Card key={value} value={value} className={classes.mode} disabled={disabled}>
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
  )
}
