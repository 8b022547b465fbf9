import { Badge, Button, Card, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { askToConfirm } from '#web/components/confirm.tsx'
import { LoadError } from '#web/components/load-error.tsx'
import { timeAgo } from '#web/components/time-words.ts'
import classes from './sessions-card.module.css'
import { type Device, useSessions } from './use-sessions.ts'

/** The devices on which the person is signed in. */
export function SessionsCard() {
  const { sessions, ending, endingAll } = useSessions()
  const askEverywhere = async () => {
    const sure = await askToConfirm({
      title: 'Sign out everywhere?',
      text: 'Every device is signed out, this one too. You sign in again with your password.',
      confirm: 'Sign out everywhere',
      destroys: true,
    })
    if (sure) endingAll.mutate()
  }
  return (
    <Card component="section" aria-labelledby="sessions">
      <Stack gap="md">
        <div>
          <Title order={2} size="h3" id="sessions">
            Where you are signed in
          </Title>
          <Text className="second">A device you do not know? Sign it out, then change your password.</Text>
        </div>
        {sessions.isPending && <Skeleton height={132} role="status" aria-label="Loading devices…" />}
        {sessions.isError && !sessions.data && (
          <LoadError
            message="Unable to load your devices"
            onRetry={() => void sessions.refetch()}
            retrying={sessions.isFetching}
          />
        )}
        {sessions.data && (
          <ul className={classes.devices}>
            {sessions.data.items.map((device) => (
              <DeviceLine
                key={device.id}
                device={device}
                leaving={ending.isPending && ending.variables.id === device.id}
                onSignOut={() => ending.mutate(device)}
              />
            ))}
          </ul>
        )}
        <Button
          variant="default"
          onClick={() => void askEverywhere()}
          loading={endingAll.isPending}
          style={{ alignSelf: 'flex-start' }}
        >
          Sign out everywhere
        </Button>
      </Stack>
    </Card>
  )
}

type DeviceLineProps = { device: Device; leaving: boolean; onSignOut: () => void }

function DeviceLine({ device: { device, ip, current, lastSeenAt }, leaving, onSignOut }: DeviceLineProps) {
  const seen = timeAgo(lastSeenAt, new Date())
  return (
    <li>
      <div>
        <Group gap="xs">
          <Text fw={600}>{device}</Text>
          {current && <Badge size="md">This device</Badge>}
        </Group>
        <Text size="sm" className="second">
          {current ? 'Active now' : <time dateTime={lastSeenAt}>Last seen {seen}</time>}
          {ip && ` · ${ip}`}
        </Text>
      </div>
      {!current && (
        <Button
          variant="default"
          size="xs"
          onClick={onSignOut}
          loading={leaving}
          flex="none"
          aria-label={`Sign out ${device}, last seen ${seen}`}
        >
          Sign out
        </Button>
      )}
    </li>
  )
}
