import { Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { yardEndpoints } from '#contract/pages/yard.ts'
import { call } from '#web/api/client.ts'

export const yardKey = ['yard']

/** What the signed-in seller's page says of the yard. */
export const useOwnYard = () =>
  useQuery({ queryKey: yardKey, queryFn: ({ signal }) => call(yardEndpoints.readYard, { signal }) })

type KnownPlaceProps<Name extends string> = {
  /** Where the seller entered it, such as "On your yard’s page". */
  where: string
  known: Readonly<Record<Name, string>>
  typed: Readonly<Record<NoInfer<Name>, string>>
  onUse: (values: Partial<Record<NoInfer<Name>, string>>) => void
}

/** Offers a yard's place and phone for fields that are still empty, so that nobody types them twice. */
export function KnownPlace<Name extends string>({ where, known, typed, onUse }: KnownPlaceProps<Name>) {
  const names = (Object.keys(known) as Name[]).filter((name) => known[name] !== '' && typed[name] === '')
  if (names.length === 0) return null
  return (
    <Group gap="sm">
      <Text>
        {where}: {names.map((name) => known[name]).join(', ')}
      </Text>
      <Button
        variant="default"
        size="xs"
        onClick={() =>
          onUse(Object.fromEntries(names.map((name) => [name, known[name]])) as Partial<Record<Name, string>>)
        }
      >
        Use {names.length === 1 ? 'it' : 'them'} here
      </Button>
    </Group>
  )
}
