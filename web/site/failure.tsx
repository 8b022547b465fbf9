import { isRouteErrorResponse, Link, useRouteError } from 'react-router'
import { paths } from '#web/paths.ts'
import { Head } from './head.tsx'

/** In place of a public page that is not there or could not be read. */
export function Failure() {
  const error = useRouteError()
  const { status, sentence } = readFailure(error)
  if (status === 404 || status === 410) return <NotFound />
  return (
    <div>
      <Head title="Application Error" noindex />
      <h1>Unexpected Application Error!</h1>
      <p role="alert">{sentence}</p>
      {/* A full page load drops whatever state caused the error. */}
      <a href={paths.home}>Go to the home page</a>
    </div>
  )
}

function NotFound() {
  return (
    <div>
      <Head title="Page not found" noindex />
      <h1>Page not found</h1>
      <h2>We couldn’t find that page</h2>
      <p>It may have moved, or the part may be sold. Search the parts or go to the home page.</p>
      <Link to={paths.parts}>Find auto parts</Link> <Link to={paths.home}>Go to the home page</Link>
    </div>
  )
}

/** A Response that a loader threw has the API's error as its data. */
function readFailure(error: unknown): { status?: number; sentence: string } {
  if (!isRouteErrorResponse(error)) {
    return {
      sentence:
        error instanceof Error && error.message ? error.message : 'Something went wrong on this page.',
    }
  }
  const said: unknown = error.data?.error
  return {
    status: error.status,
    sentence: typeof said === 'string' ? said : 'Something went wrong on this page.',
  }
}
