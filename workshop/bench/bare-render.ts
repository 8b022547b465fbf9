import type { ReactElement, ReactNode } from 'react'

/*
 * What `renderToString` alone costs for the cards of a page: the same elements, attributes and texts, without components,
 * routes or data.
 */

type Element = { tag: string; attributes: Record<string, string | true>; children: (Element | string)[] }

const NAMES: Readonly<Record<string, string>> = { class: 'className', for: 'htmlFor', srcset: 'srcSet' }

/** The cards of a rendered page as a function that renders them again. */
export async function bareRender(html: string): Promise<() => string> {
  // As in the built app; the other one checks much that it does not.
  process.env.NODE_ENV = 'production'
  const { createElement } = await import('react')
  const { renderToString } = await import('react-dom/server')
  const cards = parse(html.slice(html.indexOf('<article'), html.lastIndexOf('</article>') + 10))
  const toNode = (element: Element | string): ReactNode =>
    typeof element === 'string' ? element : toElement(element)
  const toElement = ({ tag, attributes, children }: Element): ReactElement =>
    createElement(tag, attributes, ...children.map(toNode))
  return () => renderToString(createElement('div', null, ...cards.map(toNode)))
}

/** Enough for what React itself has written: every element is closed, one without content by its own slash. */
function parse(html: string): (Element | string)[] {
  const root: Element = { tag: 'div', attributes: {}, children: [] }
  const open = [root]
  const tokens = html.replaceAll(/<!--.*?-->/g, '').matchAll(/<(\/?)([a-z][\w-]*)([^>]*?)(\/?)>|([^<]+)/gi)
  for (const [, closing, tag = '', attributes = '', isEmpty, text] of tokens) {
    const element: Element | string = text
      ? plain(text)
      : { tag, attributes: readAttributes(attributes), children: [] }
    if (!closing) open.at(-1)?.children.push(element)
    if (closing) open.pop()
    else if (typeof element === 'object' && !isEmpty) open.push(element)
  }
  return root.children
}

function readAttributes(text: string): Element['attributes'] {
  const found = text.matchAll(/([\w:-]+)(?:="([^"]*)")?/g)
  return Object.fromEntries(
    [...found].flatMap(([, name = '', value]) =>
      // React takes styles as objects only; they are a few of many attributes.
      name === 'style' ? [] : [[NAMES[name] ?? name, value === undefined ? true : plain(value)]],
    ),
  )
}

const plain = (text: string) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&')
