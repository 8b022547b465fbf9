import { useEffect } from 'react'
import { useRouteLoaderData } from 'react-router'
import type { SiteFacts } from '#contract/pages/public-pages.ts'

/** The route that loads what every public page needs. */
export const SITE_ROUTE = 'site'

const unknownSite: SiteFacts = {
  productName: 'PartHarbor',
  origin: '',
  findPartsUrl: null,
  demo: false,
  orders: false,
  proPrice: '$149',
}

/** Facts about this installation, or the defaults if they could not be loaded. */
export const useSiteFacts = (): SiteFacts => useRouteLoaderData<SiteFacts>(SITE_ROUTE) ?? unknownSite

type HeadProps = {
  /** Without the product's name. */
  title: string
  description?: string
  /** The address search engines should keep: a path, with the parameters that change the page. */
  canonical?: string
  /** A path or an absolute address. */
  image?: string | null
  /** Search engines follow the page's links but do not list it. */
  noindex?: boolean
  /** Structured data, as objects of schema.org, which only the server renders. */
  things?: (() => readonly object[]) | false
}

/**
 * A page's metadata for search engines and previews. React moves the elements to the head, on the server too
 * (web/render.tsx); the data blocks stay in the page, and the security policy does not treat them as scripts.
 */
export function Head({ title, description, canonical, image, noindex = false, things }: HeadProps) {
  const { productName, origin } = useSiteFacts()
  const full = `${title} | ${productName}`
  // Dashboard pages set the title this way, in an element that would come first.
  useEffect(() => {
    document.title = full
  }, [full])
  const address = canonical === undefined ? undefined : origin + canonical
  const picture = image ? new URL(image, `${origin || 'http://localhost'}/`).href : undefined
  return (
    <>
      <title>{full}</title>
      {description !== undefined && <meta name="description" content={description} />}
      {noindex && <meta name="robots" content="noindex,follow" />}
      {address !== undefined && <link rel="canonical" href={address} />}
      <meta property="og:site_name" content={productName} />
      <meta property="og:type" content="website" />
      <meta property="og:title" content={title} />
      {description !== undefined && <meta property="og:description" content={description} />}
      {address !== undefined && <meta property="og:url" content={address} />}
      {picture !== undefined && <meta property="og:image" content={picture} />}
      <meta name="twitter:card" content={picture === undefined ? 'summary' : 'summary_large_image'} />
      {/* Not in the browser's tree: web/render.tsx moves them out of the HTML that React hydrates. */}
      {(import.meta.env.SSR && things ? things() : []).map((thing, place) => (
        <script
          // biome-ignore lint/suspicious/noArrayIndexKey: a page has the same things in the same order
          key={place}
          type="application/ld+json"
          // biome-ignore lint/security/noDangerouslySetInnerHtml: JSON that cannot end its element
          dangerouslySetInnerHTML={{ __html: inScript({ '@context': 'https://schema.org', ...thing }) }}
        />
      ))}
    </>
  )
}

/** JSON that cannot end the script element around it. */
export const inScript = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c')
