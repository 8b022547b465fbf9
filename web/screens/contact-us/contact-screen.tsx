import { SimpleGrid, Text } from '@mantine/core'
import { ButtonLink } from '#web/components/links.tsx'
import { Page } from '#web/components/page/page.tsx'
import { SectionCard } from '#web/components/page/section-card.tsx'
import { paths } from '#web/paths.ts'

const reasons = [
  {
    title: 'About a part',
    text: 'Ask the seller. The part’s page shows who has it and how to reach them.',
    action: 'Find the part',
    to: paths.parts,
  },
  {
    title: 'About selling',
    text: 'Our articles cover listing, grades, payouts and importing.',
    action: 'Read the articles',
    to: paths.help,
  },
  {
    title: 'About anything else',
    text: 'Write to us. A person will reply by email.',
    action: 'Write a message',
    to: paths.support,
  },
]

export function Component() {
  return (
    <Page title="Contact Us" lead="Three ways to reach the right person.">
      <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="md">
        {reasons.map(({ title, text, action, to }) => (
          <SectionCard key={title} title={title}>
            <Text className="second" flex={1}>
              {text}
            </Text>
            <ButtonLink to={to} variant="default" style={{ alignSelf: 'flex-start' }}>
              {action}
            </ButtonLink>
          </SectionCard>
        ))}
      </SimpleGrid>
    </Page>
  )
}
