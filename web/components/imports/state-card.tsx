import { Card, Group, Stack, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Spinner } from '#web/components/page/waiting.tsx'

type StateCardProps = { title: string; busy: boolean; aside?: ReactNode; children: ReactNode }

/** A card with a title and, while busy, a spinner. */
export function StateCard({ title, busy, aside, children }: StateCardProps) {
  return (
    <Card component="section" aria-label={title}>
      <Stack gap="md">
        <Group justify="space-between">
          <Group gap="sm" wrap="nowrap">
            {busy && <Spinner size={32} />}
            <Title order={2} size="h3">
              {title}
            </Title>
          </Group>
          {aside}
        </Group>
        {children}
      </Stack>
    </Card>
  )
}
