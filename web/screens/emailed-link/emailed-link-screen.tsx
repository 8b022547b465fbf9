import type { ComponentType } from 'react'
import { useLocation } from 'react-router'
import { accountEndpoints } from '#contract/account/accounts.ts'
import { leadEndpoints } from '#contract/leads.ts'
import { savedSearchEndpoints } from '#contract/search/saved-searches.ts'
import { call } from '#web/api/client.ts'
import { CheckedLink, DeadLink, useLinkToken } from '#web/components/entry/emailed-link.tsx'
import { EntryPage } from '#web/components/entry/entry-page.tsx'
import { ButtonLink, TextLink } from '#web/components/links.tsx'
import { paths } from '#web/paths.ts'
import {
  ConfirmEmail,
  ConfirmMessage,
  ConfirmReport,
  ConfirmSearch,
  isOfBuyer,
  NewPassword,
  RestoreEmail,
  type StepProps,
  Unsubscribe,
  unsubscribeKind,
} from './link-steps.tsx'

type NextPage = { to: string; label: string }

type LinkPage<Found> = {
  title: string
  heading: string
  lead: string | ((token: string | undefined) => string)
  /** Below the card. */
  below: NextPage | ((token: string | undefined) => NextPage)
  /** Asks what the link is for, so that a used one shows at once; without it, only the step's button sends the token. */
  check?: (token: string, signal: AbortSignal) => Promise<Found>
  /** Whether a reload opens the link again, to show what it did. */
  kept?: boolean
  /** For a link that was used or has expired. */
  dead: string
  /** For the page without a link, if that is something else. */
  missing?: string
  next: NextPage
  Step: ComponentType<StepProps<Found>>
}

const findParts = { to: paths.parts, label: 'Find parts' }
const findMore = { to: paths.parts, label: 'Find more parts' }
const support = { to: paths.support, label: 'Contact support' }

/** Keeps what a link's check finds and what its step is given the same. */
const page =
  <Found,>(of: LinkPage<Found>) =>
  () => <OpenedLink {...of} />

/** The pages of links in our emails, by path. Signing in by a link is a page of its own, which also sends one. */
const pages: Readonly<Record<string, ComponentType>> = {
  [paths.confirmEmail]: page({
    title: 'Confirm email',
    heading: 'Confirm your email address',
    lead: 'So nobody else can open an account with your address.',
    below: { to: paths.home, label: 'Go to the home page' },
    check: (token, signal) => call(accountEndpoints.checkAddressLink, { body: { token }, signal }),
    dead: 'It was already used, was replaced by a newer one, or has expired. You can get a new one in your account settings.',
    next: { to: paths.accountSettings, label: 'Open account settings' },
    Step: ConfirmEmail,
  }),
  [paths.restoreEmail]: page({
    title: 'Restore email',
    heading: 'Didn’t change your email address?',
    lead: 'Recover your account.',
    below: support,
    check: (token, signal) => call(accountEndpoints.checkAddressLink, { body: { token }, signal }),
    dead: 'It was already used or has expired. Lost access? Contact us.',
    next: support,
    Step: RestoreEmail,
  }),
  [paths.resetPassword]: page({
    title: 'Reset password',
    heading: 'Choose a new password',
    lead: 'You will be signed out everywhere, and all your API tokens end. Then sign in with the new password.',
    below: { to: paths.login, label: 'Back to login' },
    check: (token, signal) => call(accountEndpoints.checkPasswordLink, { body: { token }, signal }),
    dead: 'This link was already used or is older than 30 minutes. Your password has not changed.',
    missing:
      'Open the link in our email. If you can’t find the email or already used the link, request a new one.',
    next: { to: paths.forgotPassword, label: 'Request a new link' },
    Step: NewPassword,
  }),
  [paths.confirmMessage]: page({
    title: 'Confirm message',
    heading: 'Get the seller’s reply',
    lead: 'Confirm your email and we’ll forward the seller’s reply.',
    below: findMore,
    check: (token, signal) => call(leadEndpoints.checkMessageLink, { body: { token }, signal }),
    kept: true,
    dead: 'This link has expired. Use the one in your most recent email. The seller has your message either way.',
    next: findParts,
    Step: ConfirmMessage,
  }),
  [paths.confirmSearch]: page({
    title: 'Confirm search',
    heading: 'Email me when one is listed',
    lead: 'Confirm, and we’ll email you new parts.',
    below: findMore,
    check: (token, signal) => call(savedSearchEndpoints.checkSearchLink, { body: { token }, signal }),
    kept: true,
    dead: 'This link has expired. Save the search again to get a new one.',
    next: findParts,
    Step: ConfirmSearch,
  }),
  [paths.confirmReport]: page({
    title: 'Confirm report',
    heading: 'Confirm your report',
    lead: 'Confirmed reports can stop a seller’s import.',
    below: findParts,
    kept: true,
    dead: 'This link has expired. We have your report either way.',
    next: findParts,
    Step: ConfirmReport,
  }),
  [paths.unsubscribe]: page({
    title: 'Unsubscribe',
    heading: 'Fewer emails from us',
    lead: (token) =>
      unsubscribeKind(token) === 'conversation'
        ? 'One click, without an account.'
        : 'You can turn them on again at any time.',
    below: (token) =>
      isOfBuyer(unsubscribeKind(token)) ? findMore : { to: paths.accountSettings, label: 'Account settings' },
    kept: true,
    dead: 'Part of the link is missing. Click it in the email again, or change your emails in your account settings.',
    next: { to: paths.accountSettings, label: 'Open account settings' },
    Step: Unsubscribe,
  }),
}

/** The page behind an emailed link: what it would do, and the button that does it. */
export function Component() {
  const path = useLocation().pathname.replace(/\/+$/, '')
  const Page = pages[path]
  return Page && <Page key={path} />
}

function OpenedLink<Found>({ kept = false, check, missing, Step, ...of }: LinkPage<Found>) {
  const token = useLinkToken({ kept })
  const { to, label } = typeof of.below === 'function' ? of.below(token) : of.below
  const deadLink = (sentence: string) => (
    <DeadLink next={<ButtonLink to={of.next.to}>{of.next.label}</ButtonLink>}>{sentence}</DeadLink>
  )
  const dead = deadLink(of.dead)
  const step = () => {
    if (token === undefined) return missing === undefined ? dead : deadLink(missing)
    if (!check) return <Step key={token} token={token} found={undefined as Found} dead={dead} />
    return (
      <CheckedLink key={token} token={token} check={check} dead={dead}>
        {(found) => <Step token={token} found={found} dead={dead} />}
      </CheckedLink>
    )
  }
  return (
    <EntryPage
      title={of.title}
      heading={of.heading}
      lead={typeof of.lead === 'function' ? of.lead(token) : of.lead}
      below={
        <TextLink underline="always" to={to}>
          {label}
        </TextLink>
      }
    >
      {step()}
    </EntryPage>
  )
}
