import { Anchor, Button, Card, Group, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import { adminPeopleEndpoints, type NameReview } from '#contract/admin/people.ts'
import { call } from '#web/api/client.ts'
import { Moment } from '#web/components/admin/records.tsx'
import { notifyDone, notifyError } from '#web/components/toasts.tsx'
import { paths } from '#web/paths.ts'

const queryKey = ['name-reviews']
type Decision = 'published' | 'refused'

/** Names of new sellers that look like another yard's in the same city; nothing if there are none. */
export function NameReviews() {
  const queryClient = useQueryClient()
  const reviews = useQuery({
    queryKey,
    queryFn: ({ signal }) => call(adminPeopleEndpoints.listNameReviews, { signal }),
  })
  const deciding = useMutation({
    mutationFn: ({ review: { sellerId, name }, decision }: { review: NameReview; decision: Decision }) =>
      call(adminPeopleEndpoints.decideYardName, { body: { sellerId, name, decision } }),
    onSuccess: (_, { review: { name, shownAs }, decision }) =>
      notifyDone(decision === 'published' ? `Buyers now see ${name}` : `Buyers keep seeing ${shownAs}`),
    onError: (error) => notifyError(error, 'The decision could not be saved. Try again.'),
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
  })
  const items = reviews.data?.items ?? []
  if (items.length === 0) return null
  return (
    <Card component="section" aria-labelledby="name-reviews" mb="lg">
      <Stack gap="sm">
        <Title order={2} size="h4" id="name-reviews">
          Names to review
        </Title>
        {items.map((review) => (
          <Group key={`${review.sellerId} ${review.name}`} justify="space-between" gap="sm">
            <div>
              <Text fw={600}>{review.name}</Text>
              <Text size="sm" className="second">
                {review.email} · looks like <LikeName review={review} /> · buyers see “{review.shownAs}” until{' '}
                <Moment at={review.dueAt} />
              </Text>
            </div>
            <Group gap="xs">
              {(['published', 'refused'] as const).map((decision) => (
                <Button
                  key={decision}
                  size="xs"
                  variant="default"
                  loading={deciding.isPending}
                  onClick={() => deciding.mutate({ review, decision })}
                  aria-label={`${decision === 'published' ? 'Publish' : 'Refuse'} the name ${review.name}`}
                >
                  {decision === 'published' ? 'Publish' : 'Refuse'}
                </Button>
              ))}
            </Group>
          </Group>
        ))}
      </Stack>
    </Card>
  )
}

const LikeName = ({ review: { likeName, likeSlug } }: { review: NameReview }) =>
  likeSlug === null ? (
    likeName
  ) : (
    <Anchor component={Link} inherit to={paths.seller(likeSlug)}>
      {likeName}
    </Anchor>
  )
