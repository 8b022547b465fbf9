import { Group, Stack } from '@mantine/core'
import { jsonText } from '#web/screens/dashboard/admin/mission-control/jobs/job-json.ts'
import { CopyValue } from './copy-value.tsx'
import classes from './job-detail.module.css'

export function JsonBlock({ value, what }: { value: unknown; what: string }) {
  const text = jsonText(value)
  return (
    <Stack gap="xs">
      <Group justify="flex-end">
        <CopyValue value={text} what={what} />
      </Group>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be within reach of the keys */}
      <pre className={classes.code} tabIndex={0}>
        {text}
      </pre>
    </Stack>
  )
}
