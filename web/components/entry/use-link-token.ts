import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'

/**
 * The one-time token from an emailed link. It is in the URL fragment, which browsers send to no server, and is removed
 * from the address bar as soon as it is read.
 */
export function useLinkToken(): string | undefined {
  const { hash, pathname } = useLocation()
  const navigate = useNavigate()
  const [token, setToken] = useState(hash.slice(1))
  useEffect(() => {
    if (hash === '') return
    // A newer link may be opened while this page is open.
    setToken(hash.slice(1))
    void navigate(pathname, { replace: true })
  }, [hash, pathname, navigate])
  return token === '' ? undefined : token
}
