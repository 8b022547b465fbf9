import { Button, Card, Stack, Text, Title } from '@mantine/core'
import type { FormEvent, ReactNode } from 'react'
import { focusFirstProblem } from '#web/components/first-problem.ts'

type SettingsCardProps = {
  title: string
  lead: string
  save: string
  changed: boolean
  saving: boolean
  onSave: () => Promise<unknown>
  children: ReactNode
}

/** One group of settings with its own save button. */
export function SettingsCard({ title, lead, save, changed, saving, onSave, children }: SettingsCardProps) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    // The mutation has told already what went wrong.
    void onSave().catch(() => focusFirstProblem(form))
  }
  return (
    <Card component="form" onSubmit={submit} noValidate>
      <Stack gap="md">
        <div>
          <Title order={2} size="h3">
            {title}
          </Title>
          <Text className="second">{lead}</Text>
        </div>
        {children}
        <Button type="submit" disabled={!changed} loading={saving} style={{ alignSelf: 'flex-start' }}>
          {save}
        </Button>
      </Stack>
    </Card>
  )
}
