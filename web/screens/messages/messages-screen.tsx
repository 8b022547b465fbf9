import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { Conversation } from '#contract/pages/conversations.ts'
import sheet from '#web/artwork/sheet.svg?url'
import { paths } from '#web/paths.ts'
import { Button, ButtonLink } from '#web/site/button.tsx'
import { Head } from '#web/site/head.tsx'
import { Empty, Page } from '#web/site/page.tsx'
import { ConversationView } from './conversation.tsx'
import { type Refusal, send } from './conversation-calls.ts'

/** A buyer's conversation with a seller, opened by the link of an email. */
export function Component() {
  const token = useToken()
  return (
    <>
      <Head title="Your conversation" noindex />
      {token === '' ? <DeadLinkNotice /> : <Opened key={token} token={token} />}
    </>
  )
}

/**
 * The link's token; undefined until hydration, '' if there is none. It is removed from the address bar, where it could be
 * copied with the URL, and kept in the history entry for a reload.
 */
function useToken(): string | undefined {
  const { hash, pathname, state } = useLocation()
  const navigate = useNavigate()
  const [token, setToken] = useState<string>()
  useEffect(() => {
    if (hash === '') return setToken((state as { token?: string } | null)?.token ?? '')
    void navigate(pathname, { replace: true, state: { token: hash.slice(1) } })
  }, [hash, pathname, state, navigate])
  return token
}

function Opened({ token }: { token: string | undefined }) {
  const [conversation, setConversation] = useState<Conversation>()
  const [refusal, setRefusal] = useState<Refusal>()
  const [tries, setTries] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each try reads again
  useEffect(() => {
    if (token === undefined) return
    const controller = new AbortController()
    const read = async () => {
      const outcome = await send<Conversation>('/messages/conversation', { token }, controller.signal)
      if (controller.signal.aborted) return
      if ('done' in outcome) setConversation(outcome.done)
      setRefusal('refusal' in outcome ? outcome.refusal : undefined)
    }
    // The seller may answer while the page is in another tab.
    const readIfSeen = () => void (document.visibilityState === 'visible' && read())
    void read()
    document.addEventListener('visibilitychange', readIfSeen)
    return () => {
      controller.abort()
      document.removeEventListener('visibilitychange', readIfSeen)
    }
  }, [token, tries])
  if (refusal?.code === 'LINK_EXPIRED') return <DeadLinkNotice />
  if (conversation && token !== undefined) {
    return <ConversationView token={token} conversation={conversation} onChange={setConversation} />
  }
  return (
    <Page heading="Your conversation" width="text">
      {refusal ? (
        <Empty
          title="The conversation could not be opened"
          text={refusal.error}
          action={<Button onClick={() => setTries(tries + 1)}>Try again</Button>}
        />
      ) : (
        <p role="status">Opening your conversation…</p>
      )}
      <noscript>
        <p>This page needs JavaScript. Without it, reply to the seller’s email instead.</p>
      </noscript>
    </Page>
  )
}

function DeadLinkNotice() {
  return (
    <Page heading="Your conversation" width="text">
      <Empty
        drawing={sheet}
        title="This link doesn’t work"
        text="This link has expired. Use the one in your most recent email."
        action={
          <ButtonLink to={paths.parts} look="filled">
            Find parts
          </ButtonLink>
        }
      />
    </Page>
  )
}
