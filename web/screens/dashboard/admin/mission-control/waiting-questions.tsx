import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconHandStop } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import { automationEndpoints } from '#contract/admin/automation.ts'
import { call } from '#web/api/client.ts'
import { timeAgo } from '#web/components/time-words.ts'
import { jobName, withJob } from '#web/screens/dashboard/admin/mission-control/jobs/job-lists.ts'
import { withView } from './mission-views.ts'

/** A question that nobody answers blocks its queue, so every page of Mission Control shows it, oldest first. */
export function WaitingQuestions() {
  const { data: waiting = [] } = useWaitingJobs()
  const [params] = useSearchParams()
  if (waiting.length === 0) return null
  return (
    <Stack gap="xs" mb="lg">
      {waiting.map(({ id, name, text, askedAt }) => (
        <Alert key={id} color="warning" radius="lg" role="status" icon={<IconHandStop aria-hidden />}>
          <Group justify="space-between" gap="sm">
            <div>
              <Text fw={650}>{text}</Text>
              <Text size="sm">
                {name} asked <time dateTime={askedAt}>{timeAgo(askedAt, new Date())}</time>. Its queue may be
                blocked until someone answers.
              </Text>
            </div>
            {params.get('job') !== id && (
              <Button
                component={Link}
                to={{ search: withView(withJob(params, id), 'jobs').toString() }}
                size="xs"
                variant="default"
                aria-label={`Answer ${name}`}
              >
                Answer
              </Button>
            )}
          </Group>
        </Alert>
      ))}
    </Stack>
  )
}

/** More would fill the page; the jobs list has them all. */
const MOST_SHOWN = 3
const EVERY_MS = 20_000

function useWaitingJobs() {
  return useQuery({
    // Below the key that every action on jobs refreshes.
    queryKey: ['automation', 'questions'],
    queryFn: async ({ signal }) => {
      const query = { status: 'waiting-manual', limit: 100 }
      const { items } = await call(automationEndpoints.listJobs, { query, signal })
      const oldest = items.toReversed().slice(0, MOST_SHOWN)
      const jobs = await Promise.all(
        oldest.map(({ id }) => call(automationEndpoints.readJob, { params: { id }, signal })),
      )
      return jobs.flatMap((job) =>
        job.status === 'waiting-manual' && job.question
          ? { id: job.id, name: jobName(job), text: job.question.text, askedAt: job.question.askedAt }
          : [],
      )
    },
    refetchInterval: EVERY_MS,
  })
}
