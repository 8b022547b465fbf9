import { Skeleton, Stack } from '@mantine/core'

/** Where the form of a listing will stand once the listing is read. */
export const FormSkeleton = () => (
  <Stack gap="md" role="status" aria-label="Loading listing…">
    <Skeleton height={270} radius="lg" />
    <Skeleton height={420} radius="lg" />
    <Skeleton height={180} radius="lg" />
  </Stack>
)
