import { useEffect } from 'react'

/** What search engines show below the title; gone with the page. */
export function useMetaDescription(text: string): void {
  useEffect(() => {
    const before = document.querySelector<HTMLMetaElement>('meta[name="description"]')
    const meta = before ?? document.head.appendChild(document.createElement('meta'))
    const former = meta.content
    meta.name = 'description'
    meta.content = text
    return () => {
      if (before) meta.content = former
      else meta.remove()
    }
  }, [text])
}
