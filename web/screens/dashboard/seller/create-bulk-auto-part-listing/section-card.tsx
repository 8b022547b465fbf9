import { Card, Group, Text, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'

type SectionCardProps = {
  title: string
  lead?: ReactNode
  /** Beside the title. */
  aside?: ReactNode
  children: ReactNode
}

/** One matter of a tab. */
export function SectionCard({ title, lead, aside, children }: SectionCardProps) {
  const titleId = useId()
  return (
    <Card component="section" aria-labelledby={titleId}>
      <Group justify="space-between" gap="sm" align="baseline" mb="md">
        <div>
          <Title order={2} size="h3" id={titleId}>
            {title}
          </Title>
          {lead !== undefined && <Text className="second">{lead}</Text>}
        </div>
        {aside}
      </Group>
      {children}
    </Card>
  )
}
