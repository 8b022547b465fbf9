export type XmlElement = { name: string; text: string; children: XmlElement[] }

const MARKUP =
  /<\?xml [^<>]*\?>|<(\/?)([A-Za-z][\w.-]*(?::[A-Za-z][\w.-]*)?)((?: [\w:.-]+="[^"<]*")*) ?(\/?)>/y
const ENTITIES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' }

/**
 * The root of an XML document; throws if it is not well-formed. Strict on purpose: DOM parsers for tests forgive what
 * search engines refuse. Knows what we write, so no comments, sections or numbered characters.
 */
export function readXml(document: string): XmlElement {
  const top: XmlElement = { name: '', text: '', children: [] }
  const open = [top]
  let at = 0
  while (at < document.length) {
    const next = document.indexOf('<', at)
    const inside = open.at(-1) ?? top
    inside.text += plain(document.slice(at, next < 0 ? document.length : next))
    if (next < 0) break
    MARKUP.lastIndex = next
    const [markup = '', closes, name = '', attributes = '', isEmpty] = MARKUP.exec(document) ?? []
    if (markup === '') throw new Error(`not XML: ${document.slice(next, next + 80)}`)
    plain(attributes)
    if (closes) close(open, name)
    else if (name !== '') begin(open, { name, text: '', children: [] }, isEmpty !== '')
    at = next + markup.length
  }
  const [root, ...more] = top.children
  if (!root || more.length > 0 || open.length > 1 || top.text.trim() !== '') {
    throw new Error('not one element, closed')
  }
  return root
}

function begin(open: XmlElement[], element: XmlElement, isEmpty: boolean): void {
  open.at(-1)?.children.push(element)
  if (!isEmpty) open.push(element)
}

function close(open: XmlElement[], name: string): void {
  if (open.length === 1 || open.pop()?.name !== name) throw new Error(`</${name}> closes nothing`)
}

function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what XML 1.0 has no way to write
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/.test(text))
    throw new Error('a control character')
  return text.replaceAll(/&\w*;?/g, (entity) => {
    const known = ENTITIES[entity]
    if (known === undefined) throw new Error(`${entity} is no entity`)
    return known
  })
}

/** The texts of the elements with this name at any depth, in order. */
export function textsOf({ name, text, children }: XmlElement, wanted: string): string[] {
  return [...(name === wanted ? [text] : []), ...children.flatMap((child) => textsOf(child, wanted))]
}
