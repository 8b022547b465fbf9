import { Text } from '@mantine/core'
import { reportEndpoints } from '#contract/reports.ts'
import { call } from '#web/api/client.ts'
import { DeadLink, LinkStep, useLinkRequest, useLinkToken } from '#web/components/entry/emailed-link.tsx'
import { EntryPage } from '#web/components/entry/entry-page.tsx'
import { ButtonLink, TextLink } from '#web/components/links.tsx'
import { paths } from '#web/paths.ts'

export function Component() {
  const token = useLinkToken({ kept: true })
  return (
    <EntryPage
      title="Confirm report"
      heading="Confirm your report"
      lead="Confirmed reports can stop a seller’s import."
      below={
        <TextLink underline="always" to={paths.parts}>
          Find parts
        </TextLink>
      }
    >
      {token === undefined ? <DeadLinkNotice /> : <Confirm token={token} />}
    </EntryPage>
  )
}

function Confirm({ token }: { token: string }) {
  const { send, isDone, isDead, loading } = useLinkRequest({
    run: () => call(reportEndpoints.confirmReport, { body: { token } }),
    failed: 'Could not confirm the report. Please try again.',
  })
  if (isDead) return <DeadLinkNotice />
  if (isDone) {
    return (
      <LinkStep heading="Your report is confirmed">
        <Text>Thanks. We’ll review the listing.</Text>
        <ButtonLink to={paths.parts}>Find parts</ButtonLink>
      </LinkStep>
    )
  }
  return (
    <LinkStep heading="Did you report a listing?" action={{ label: 'Yes, that was me', run: send, loading }}>
      <Text className="second">If not, close this page.</Text>
    </LinkStep>
  )
}

const DeadLinkNotice = () => (
  <DeadLink next={<ButtonLink to={paths.parts}>Find parts</ButtonLink>}>
    This link has expired. We have your report either way.
  </DeadLink>
)
