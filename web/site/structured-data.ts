import type { PartCard } from '#contract/pages/public-pages.ts'
import { paths } from '#web/paths.ts'
import { titleOf } from './card/listing-words.ts'
import type { Crumb } from './page.tsx'

/* Structured data for search engines, as schema.org defines it. `origin` makes addresses absolute. */

/** The pages above this one, this one last. */
export function breadcrumbList(origin: string, crumbs: readonly Crumb[]): object {
  return {
    '@type': 'BreadcrumbList',
    itemListElement: crumbs.map(({ to, label }, place) => ({
      '@type': 'ListItem',
      position: place + 1,
      name: label,
      item: origin + to,
    })),
  }
}

/** The parts of a list, in its order. */
export function itemList(origin: string, parts: readonly PartCard[]): object {
  return {
    '@type': 'ItemList',
    itemListElement: parts.map((part, place) => ({
      '@type': 'ListItem',
      position: place + 1,
      name: titleOf(part),
      url: origin + paths.part(part.partslug),
    })),
  }
}

/** The marketplace and its search, for the home page. */
export function siteThings(origin: string, name: string): object[] {
  return [
    { '@type': 'Organization', name, url: `${origin}/`, logo: `${origin}/favicon.svg` },
    {
      '@type': 'WebSite',
      name,
      url: `${origin}/`,
      potentialAction: {
        '@type': 'SearchAction',
        target: { '@type': 'EntryPoint', urlTemplate: `${origin}${paths.parts}?q={words}` },
        'query-input': 'required name=words',
      },
    },
  ]
}
