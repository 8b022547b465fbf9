import {
  Button,
  Code,
  Fieldset,
  NativeSelect,
  SimpleGrid,
  Stack,
  Switch,
  Text,
  TextInput,
} from '@mantine/core'
import '@mantine/core/styles/Code.layer.css'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { automationEndpoints } from '#contract/admin/automation.ts'
import {
  type FlagDefinition,
  findScript,
  flagArguments,
  type ScriptDefinition,
  scripts,
} from '#contract/admin/scripts.ts'
import { call } from '#web/api/client.ts'
import { SectionCard } from '#web/components/page/section-card.tsx'
import classes from './preprocess.module.css'
import { choiceOf, type ScriptChoice } from './script-choice.ts'
import '@mantine/core/styles/Switch.layer.css'

type ScriptCardProps = {
  choice: ScriptChoice
  onChange: (choice: ScriptChoice) => void
  /** Problems by flag. */
  problems: Readonly<Record<string, string>>
}

/** Chooses the script and its flags. */
export function ScriptCard({ choice, onChange, problems }: ScriptCardProps) {
  const { script, texts } = choice
  const settings = useScriptSettings()
  const defaultModel = `Default (${settings?.model ?? 'OPENAI_MODEL'})`
  const change = (name: string, value: string | boolean) =>
    onChange({ script, texts: { ...texts, [name]: value } })
  const flags = Object.entries(script.flags)
  const control = ([name, flag]: (typeof flags)[number]) => (
    <FlagControl
      key={name}
      name={name}
      flag={flag}
      defaultModel={defaultModel}
      value={texts[name] ?? ''}
      onChange={(value) => change(name, value)}
      problem={problems[name]}
    />
  )
  return (
    <SectionCard title="Script & Flags">
      <NativeSelect
        label="Script"
        description={script.summary}
        data={scripts.map(({ name, scriptId }) => ({ value: scriptId, label: name }))}
        value={script.scriptId}
        onChange={(event) => {
          const chosen = findScript(event.currentTarget.value)
          if (chosen) onChange(choiceOf(chosen))
        }}
      />
      <Instructions key={script.scriptId} script={script} />
      {settings?.hasKey === false && isWriting(script) && (
        <Text size="sm">
          No OPENAI_API_KEY is set, so the built-in template is used and Model has no effect.
        </Text>
      )}
      <Fieldset legend="Flags">
        <Stack gap="md">
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
            {flags.filter(([, { kind }]) => kind === 'boolean').map(control)}
          </SimpleGrid>
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" className={classes.values ?? ''}>
            {flags.filter(([, { kind }]) => kind !== 'boolean').map(control)}
          </SimpleGrid>
        </Stack>
      </Fieldset>
      <div>
        <Text size="sm" fw={600}>
          Arguments
        </Text>
        <Code block className={classes.arguments ?? ''}>
          {flagArguments(texts).join(' ') || 'none'}
        </Code>
      </div>
    </SectionCard>
  )
}

const isWriting = ({ flags }: ScriptDefinition) =>
  Object.values(flags).some((flag) => flag.kind === 'select' && flag.usual === 'model')

function useScriptSettings() {
  const { data } = useQuery({
    queryKey: ['automation', 'scripts'],
    queryFn: ({ signal }) => call(automationEndpoints.readScriptSettings, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return data
}

function Instructions({ script }: { script: ScriptDefinition }) {
  const [shown, setShown] = useState(false)
  return (
    <Stack gap="sm" align="flex-start">
      <Button variant="default" size="xs" aria-expanded={shown} onClick={() => setShown(!shown)}>
        {shown ? 'Hide Instructions' : 'Show Instructions'}
      </Button>
      {shown &&
        script.instructions.map((paragraph) => (
          <Text key={paragraph} size="sm">
            {paragraph}
          </Text>
        ))}
    </Stack>
  )
}

type FlagControlProps = {
  /** The first option of a model select. */
  defaultModel: string
  name: string
  flag: FlagDefinition
  value: string | boolean
  onChange: (value: string | boolean) => void
  problem: string | undefined
}

function FlagControl({ defaultModel, name, flag, value, onChange, problem }: FlagControlProps) {
  const plain = { name, label: flag.label, description: flag.help, error: problem }
  if (flag.kind === 'boolean') {
    return (
      <Switch
        {...plain}
        checked={value === true}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    )
  }
  if (flag.kind === 'select') {
    return (
      <NativeSelect
        {...plain}
        value={String(value)}
        data={[{ value: '', label: flag.usual === 'model' ? defaultModel : 'Not set' }, ...flag.options]}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    )
  }
  const numeric = flag.kind === 'number' && {
    inputMode: 'numeric' as const,
    placeholder: flag.most === undefined ? `${flag.least} or more` : `${flag.least} to ${count(flag.most)}`,
  }
  return (
    <TextInput
      {...plain}
      {...numeric}
      value={String(value)}
      autoComplete="off"
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

const count = (number: number) => number.toLocaleString('en-US')
