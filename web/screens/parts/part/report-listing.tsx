import { Alert, Button, Modal, NativeSelect, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconFlag } from '@tabler/icons-react'
import type { Listing } from '#contract/listings.ts'
import { listingReport, reportEndpoints, reportReasons } from '#contract/reports.ts'
import { call } from '#web/api/client.ts'
import { errorSentence } from '#web/api/failures.ts'
import { useTextForm } from '#web/components/form/use-text-form.ts'
import { titleOf } from '#web/site/card/listing-words.ts'

/** Anyone can report a listing, without an account. */
export function ReportListing({ listing }: { listing: Listing }) {
  const [opened, { open, close }] = useDisclosure(false)
  return (
    <>
      <Button
        variant="subtle"
        color="gray"
        size="compact-sm"
        leftSection={<IconFlag size={16} aria-hidden />}
        onClick={open}
        style={{ alignSelf: 'flex-start' }}
      >
        Report this listing
      </Button>
      <Modal
        opened={opened}
        onClose={close}
        title="Report this listing"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <ReportForm listing={listing} onClose={close} />
      </Modal>
    </>
  )
}

type ReportFormProps = { listing: Listing; onClose: () => void }

function ReportForm({ listing, onClose }: ReportFormProps) {
  const { values, setValues, field, submit, request, problems } = useTextForm({
    start: { reason: '', text: '', email: '' },
    check: reportProblems,
    send: (body) => call(reportEndpoints.reportListing, { params: { slug: listing.partslug }, body }),
  })
  if (request.isSuccess) {
    return (
      <Stack gap="md" align="flex-start">
        <Text role="status">Thank you. An administrator will look at this listing.</Text>
        <Button variant="default" onClick={onClose} data-autofocus>
          Close
        </Button>
      </Stack>
    )
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <Text className="second">{titleOf(listing)}</Text>
        <NativeSelect
          label="What is wrong?"
          name="reason"
          value={values.reason}
          error={problems.reason}
          onChange={(event) => setValues({ ...values, reason: event.currentTarget.value })}
          data={[
            { value: '', label: 'Choose a reason' },
            ...Object.entries(reportReasons).map(([value, label]) => ({ value, label })),
          ]}
        />
        <Textarea
          label="Details (optional)"
          autosize
          minRows={3}
          maxLength={2000}
          {...field('text', false)}
        />
        <TextInput
          label="Your email (optional)"
          description="Only if you want an answer. The seller does not see it."
          type="email"
          autoComplete="email"
          maxLength={254}
          {...field('email', false)}
        />
        {request.error && Object.keys(problems).length === 0 && (
          <Alert color="bad" radius="md" role="alert">
            {errorSentence(request.error, 'Your report could not be sent. Please try again.')}
          </Alert>
        )}
        <Button type="submit" loading={request.isPending}>
          Send report
        </Button>
      </Stack>
    </form>
  )
}

/** The first problem of each field, or undefined if the report can be sent. */
function reportProblems(
  draft: Record<'reason' | 'text' | 'email', string>,
): Record<string, string> | undefined {
  if (draft.reason === '') return { reason: 'Choose a reason' }
  const issues = listingReport.safeParse(draft).error?.issues
  return issues && Object.fromEntries(issues.map(({ path, message }) => [String(path[0]), message]))
}
