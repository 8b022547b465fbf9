import { Card, type CardProps, Group, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, type Ref, useId } from 'react'

type SectionCardProps = CardProps & {
  ref?: Ref<HTMLDivElement>
  tabIndex?: number
  title: string
  lead?: ReactNode
  /** Beside the heading, such as a status. */
  aside?: ReactNode
}

/** A card named by its heading. */
export function SectionCard({ title, lead, aside, children, ...card }: SectionCardProps) {
  const id = useId()
  return (
    <Card component="section" aria-labelledby={id} {...card}>
      <Stack gap="md" h="100%">
        <div>
          <Group justify="space-between">
            <Title size="h3" id={id}>
              {title}
            </Title>
            {aside}
          </Group>
          {lead !== undefined && <Text className="second">{lead}</Text>}
        </div>
        {children}
      </Stack>
    </Card>
  )
}
