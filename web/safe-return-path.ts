/**
 * Where sign-in may lead: a path of this site, with its query. Anything that a browser could read as another address
 * (`//evil.example`, `/\evil.example`, `javascript:…`, a tab or a line break in between) is refused: undefined.
 */
export function safeReturnPath(from: string | null | undefined): string | undefined {
  if (!from || hasControlCharacter(from) || !/^\/(?![/\\])/.test(from)) return undefined
  const here = 'https://site.invalid'
  if (!URL.canParse(from, here)) return undefined
  const { origin, pathname, search, hash } = new URL(from, here)
  // Dots are resolved by now: `/.//evil.example` would have become a path that begins with two slashes.
  if (origin !== here || !/^\/(?![/\\])/.test(pathname)) return undefined
  return pathname + search + hash
}

/** Browsers drop tabs and line breaks from an address before they read it. */
function hasControlCharacter(text: string): boolean {
  return [...text].some((character) => character < ' ' || character === '\u007f')
}
