import { Center, Stack, Text } from '@mantine/core'
import { Spinner } from './spinner.tsx'

/** In the place of a page that is on its way. */
export function Waiting({ label = 'Loading…' }: { label?: string }) {
  return (
    <Center mih="50vh" role="status">
      <Stack align="center" gap="md">
        <Spinner />
        <Text className="second">{label}</Text>
      </Stack>
    </Center>
  )
}
