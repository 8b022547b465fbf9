import { Card, type CardProps, Group, Stack, Text, Title, type TitleOrder } from '@mantine/core'
import { type ReactNode, type Ref, useEffect, useId, useRef } from 'react'
import { Spinner } from './waiting.tsx'

type SectionCardProps = CardProps & {
  ref?: Ref<HTMLDivElement>
  tabIndex?: number
  title: string
  lead?: ReactNode
  /** Beside the heading, such as a status or buttons. */
  aside?: ReactNode
  /** Something is running: shows a spinner. */
  busy?: boolean
  /** Focuses the heading: it announces what appeared, and keyboard users continue from here. */
  isNews?: boolean
  /** The heading's level, for a card within a section. */
  order?: TitleOrder
}

/** A card named by its heading. */
export function SectionCard(props: SectionCardProps) {
  const { title, lead, aside, busy = false, isNews = false, order = 2, children, ...card } = props
  const id = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (isNews) heading.current?.focus()
  }, [isNews])
  return (
    <Card component="section" aria-labelledby={id} {...card}>
      <Stack gap="md" h="100%">
        <div>
          <Group justify="space-between" gap="sm">
            <Group gap="sm" wrap="nowrap">
              {busy && <Spinner size={32} />}
              <Title order={order} size="h3" id={id} ref={heading} {...(isNews && { tabIndex: -1 })}>
                {title}
              </Title>
            </Group>
            {aside}
          </Group>
          {lead !== undefined && <Text className="second">{lead}</Text>}
        </div>
        {children}
      </Stack>
    </Card>
  )
}
