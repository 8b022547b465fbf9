import { Avatar, Card, Group, Text, Title } from '@mantine/core'
import type { User } from '#contract/accounts.ts'
import { firstLetter } from '#web/components/account/account-words.ts'
import { timeAgo } from '#web/components/time-words.ts'

export function PersonCard({ user }: { user: User }) {
  return (
    <Card>
      <Group gap="md" wrap="nowrap">
        <Avatar color="sea" size="lg" radius="xl" aria-hidden>
          {firstLetter(user.name)}
        </Avatar>
        <div>
          <Title order={2} size="h3">
            {user.name}
          </Title>
          <Text className="second">Joined {timeAgo(user.createdAt, new Date())}</Text>
        </div>
      </Group>
    </Card>
  )
}
