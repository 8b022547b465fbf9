import { Badge, Button, Group, Skeleton, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ApiToken, apiTokenEndpoints } from '#contract/account/api-tokens.ts'
import { endingDate } from '#contract/account/ending-date.ts'
import { call } from '#web/api/client.ts'
import { askToConfirm } from '#web/components/confirm.tsx'
import { Loaded } from '#web/components/page/load-error.tsx'
import { SectionCard } from '#web/components/page/section-card.tsx'
import { longDate, timeAgo } from '#web/components/time-words.ts'
import { notifyDone, notifyError } from '#web/components/toasts.tsx'
import classes from './devices.module.css'
import { NewTokenDialog } from './new-token-dialog.tsx'

export function ApiTokensCard() {
  const queryClient = useQueryClient()
  const [creating, { open, close }] = useDisclosure(false)
  const tokens = useTokens()
  const revoking = useMutation({
    mutationFn: ({ id }: ApiToken) => call(apiTokenEndpoints.revokeToken, { params: { id } }),
    onSuccess: () => notifyDone('Token revoked', { place: 'top-center', about: 'tokens' }),
    onError: (error) =>
      notifyError(error, 'Could not revoke that token', { place: 'top-center', about: 'tokens' }),
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
  })
  const askToRevoke = async (token: ApiToken) => {
    const sure = await askToConfirm({
      title: `Revoke “${token.name}”?`,
      text: 'The system that uses this token can no longer reach your account. This cannot be undone.',
      confirm: 'Revoke token',
      destroys: true,
    })
    if (sure) revoking.mutate(token)
  }
  return (
    <SectionCard
      title="API tokens"
      lead="Let your own system list parts, import your inventory or read messages, without your password."
    >
      <Loaded
        query={tokens}
        failure="Unable to load your API tokens"
        waiting={<Skeleton height={66} role="status" aria-label="Loading tokens…" />}
      >
        {({ items }) =>
          items.length === 0 ? (
            <Text className="second">No tokens yet.</Text>
          ) : (
            <ul className={classes.devices}>
              {items.map((token) => (
                <TokenLine
                  key={token.id}
                  token={token}
                  leaving={revoking.isPending && revoking.variables.id === token.id}
                  onRevoke={() => void askToRevoke(token)}
                />
              ))}
            </ul>
          )
        }
      </Loaded>
      <Button variant="default" onClick={open} style={{ alignSelf: 'flex-start' }}>
        Create token
      </Button>
      <NewTokenDialog
        opened={creating}
        onClose={close}
        onCreated={() => void queryClient.invalidateQueries({ queryKey })}
      />
    </SectionCard>
  )
}

const queryKey = ['api-tokens']

export const useTokens = () =>
  useQuery({ queryKey, queryFn: ({ signal }) => call(apiTokenEndpoints.listTokens, { signal }) })

export const lastUseWords = (lastUsedAt: string | null): string =>
  lastUsedAt === null ? 'Never used' : `Last used ${timeAgo(lastUsedAt, new Date())}`

type TokenLineProps = { token: ApiToken; leaving: boolean; onRevoke: () => void }

function TokenLine({ token, leaving, onRevoke }: TokenLineProps) {
  const { name, ending, scopes, lastUsedAt } = token
  return (
    <li>
      <div style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
        <Group gap="xs">
          <Text fw={600}>{name}</Text>
          {token.isExpired && (
            <Badge size="md" color="bad">
              Expired
            </Badge>
          )}
        </Group>
        <Text size="sm" className="second">
          {scopes.join(', ')}
        </Text>
        <Text size="sm" className="second">
          Ends in {ending} · Created {longDate(token.createdAt)} · {lastUseWords(lastUsedAt)} ·{' '}
          {expiryWords(token)}
        </Text>
      </div>
      <Button
        variant="default"
        size="xs"
        onClick={onRevoke}
        loading={leaving}
        flex="none"
        aria-label={`Revoke ${name}, ending in ${ending}`}
      >
        Revoke
      </Button>
    </li>
  )
}

function expiryWords({ expiresAt, isExpired }: ApiToken): string {
  if (expiresAt === null) return 'Does not expire'
  return `${isExpired ? 'Expired' : 'Expires'} ${endingDate(expiresAt)}`
}
