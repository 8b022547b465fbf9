import { Badge, Button, Group, Skeleton, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { accountEndpoints } from '#contract/account/accounts.ts'
import type { Answer } from '#contract/endpoint.ts'
import { call } from '#web/api/client.ts'
import { forgetDeviceCopies } from '#web/api/device-copies.ts'
import { clearSession } from '#web/api/session.ts'
import { askToConfirm } from '#web/components/confirm.tsx'
import { Loaded } from '#web/components/page/load-error.tsx'
import { SectionCard } from '#web/components/page/section-card.tsx'
import { timeAgo } from '#web/components/time-words.ts'
import { notifyDone, notifyError } from '#web/components/toasts.tsx'
import { paths } from '#web/paths.ts'
import classes from './devices.module.css'

export function SessionsCard() {
  const { sessions, ending, endingAll } = useSessions()
  const askEverywhere = async () => {
    const sure = await askToConfirm({
      title: 'Sign out everywhere?',
      text: 'This signs out every device, including this one, and ends all your API tokens. Sign in again with your password.',
      confirm: 'Sign out everywhere',
      destroys: true,
    })
    if (sure) endingAll.mutate()
  }
  return (
    <SectionCard
      title="Where you are signed in"
      lead="Don’t recognize a device? Sign it out, then change your password."
    >
      <Loaded
        query={sessions}
        failure="Unable to load your devices"
        waiting={<Skeleton height={132} role="status" aria-label="Loading devices…" />}
      >
        {({ items }) => (
          <ul className={classes.devices}>
            {items.map((device) => (
              <DeviceLine
                key={device.id}
                device={device}
                leaving={ending.isPending && ending.variables.id === device.id}
                onSignOut={() => ending.mutate(device)}
              />
            ))}
          </ul>
        )}
      </Loaded>
      <Button
        variant="default"
        onClick={() => void askEverywhere()}
        loading={endingAll.isPending}
        style={{ alignSelf: 'flex-start' }}
      >
        Sign out everywhere
      </Button>
    </SectionCard>
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

type Device = Answer<typeof accountEndpoints.listSessions>['items'][number]

const place = 'top-center'
const about = 'sessions'

function useSessions() {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const sessions = useQuery({
    queryKey: ['sessions'],
    queryFn: ({ signal }) => call(accountEndpoints.listSessions, { signal }),
  })
  const ending = useMutation({
    mutationFn: ({ id }: Device) => call(accountEndpoints.endSession, { params: { id } }),
    onSuccess: () => notifyDone('Device signed out', { place, about }),
    onError: (error) => notifyError(error, 'Could not sign out that device', { place, about }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['sessions'] }),
  })
  const endingAll = useMutation({
    mutationFn: () => call(accountEndpoints.endAllSessions),
    onSuccess: async () => {
      // Leave first, so this page's guard does not start its countdown.
      await navigate(paths.login)
      clearSession()
      forgetDeviceCopies()
      notifyDone('Signed out everywhere')
    },
    onError: (error) => notifyError(error, 'Could not sign out everywhere', { place, about }),
  })
  return { sessions, ending, endingAll }
}
