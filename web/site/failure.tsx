import { isRouteErrorResponse, useLocation, useRouteError } from 'react-router'
import lost from '#web/artwork/lost.svg?url'
import { paths } from '#web/paths.ts'
import { Button, ButtonLink } from './button.tsx'
import { withPage } from './card/page-links.tsx'
import { Head } from './head.tsx'
import { Empty, Page } from './page.tsx'

/** The code of a 404 for a page after a list's last one. */
export const PAST_THE_END = 'PAST_THE_END'

const isPastTheEnd = (error: unknown) => isRouteErrorResponse(error) && error.data?.code === PAST_THE_END

/** Replaces a page that does not exist, could not be loaded, or crashed. */
export function Failure() {
  const error = useRouteError()
  const status = isRouteErrorResponse(error) ? error.status : undefined
  if (status === 404) return isPastTheEnd(error) ? <PastTheEnd /> : <NotFound />
  if (status === 410) return <Gone />
  return (
    <Page heading="Unexpected Application Error!" width="text">
      <Head title="Application Error" noindex />
      <Empty
        title={sentenceOf(error)}
        text="Reload the page. If it happens again, send support the line above."
        action={
          <>
            <Button look="filled" onClick={() => window.location.reload()}>
              Reload page
            </Button>
            {/* A full page load drops whatever state caused the error. */}
            <ButtonLink to={paths.home} reloadDocument>
              Go to the home page
            </ButtonLink>
          </>
        }
      />
    </Page>
  )
}

function NextSteps() {
  const words = partWordsOf(useLocation().pathname)
  return (
    <>
      {words === undefined ? (
        <ButtonLink to={paths.parts} look="filled">
          Find auto parts
        </ButtonLink>
      ) : (
        <ButtonLink to={`${paths.parts}?${new URLSearchParams({ q: words })}`} look="filled">
          Find parts like it
        </ButtonLink>
      )}
      <ButtonLink to={paths.home}>Go to the home page</ButtonLink>
    </>
  )
}

/** What a part's address says of it: "2014 ford f 150 alternator" of /parts/2014-ford-f-150-alternator-a1b2c3. */
function partWordsOf(pathname: string): string | undefined {
  const [, slug] = /^\/parts\/([\w-]+)\/?$/.exec(pathname) ?? []
  return slug?.replace(/-[\da-f]{6,}$/, '').replaceAll('-', ' ')
}

const NotFound = () => (
  <Page heading="Page not found" width="text">
    <Head title="Page not found" noindex />
    <Empty
      drawing={lost}
      title="We couldn’t find that page"
      text="It may have moved, or the part may be sold."
      action={<NextSteps />}
    />
  </Page>
)

function PastTheEnd() {
  const { pathname, search } = useLocation()
  return (
    <Page heading="Page not found" width="text">
      <Head title="Page not found" noindex />
      <Empty
        drawing={lost}
        title="That page no longer exists"
        text="The list is shorter now."
        action={
          <ButtonLink to={pathname + withPage(search, 1)} look="filled">
            Go to the first page
          </ButtonLink>
        }
      />
    </Page>
  )
}

const Gone = () => (
  <Page heading="This listing has been removed" width="text">
    <Head title="This listing has been removed" noindex />
    <Empty
      drawing={lost}
      title="This part is no longer for sale"
      text="New parts come in every day. Find a similar one."
      action={<NextSteps />}
    />
  </Page>
)

const WENT_WRONG = 'Something went wrong on this page.'

/**
 * A Response that a loader threw has the API's error as its data. Other errors on the server may name its files, so only the
 * log has them.
 */
function sentenceOf(error: unknown): string {
  if (isRouteErrorResponse(error)) {
    const sentence: unknown = error.data?.error
    return typeof sentence === 'string' ? sentence : WENT_WRONG
  }
  return !import.meta.env.SSR && error instanceof Error && error.message ? error.message : WENT_WRONG
}
