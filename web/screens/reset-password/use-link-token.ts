import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'

/**
 * The one-time token of a mailed link. It stands behind the address's #, which no server and no other site gets to
 * see, and is taken out of the address bar as soon as it is read.
 */
export function useLinkToken(): string | undefined {
  const { hash, pathname } = useLocation()
  const navigate = useNavigate()
  const [token, setToken] = useState(hash.slice(1))
  useEffect(() => {
    if (hash === '') return
    // A newer link may be opened while this page stands.
    setToken(hash.slice(1))
    void navigate(pathname, { replace: true })
  }, [hash, pathname, navigate])
  return token === '' ? undefined : token
}
