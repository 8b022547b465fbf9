const TYPES: Record<string, string> = {
  txt: 'text/plain; charset=utf-8',
  log: 'text/plain; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
}

/**
 * The headers of a file that is saved and never shown in place: a script may have left anything in it, under any name. What
 * is no known kind of text comes as bytes.
 */
export function downloadHeaders(name: string): Record<string, string> {
  const extension = /\.([a-z\d]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  const plain = name.replaceAll(/[^\w. -]/g, '_')
  return {
    'content-type': TYPES[extension] ?? 'application/octet-stream',
    'content-disposition': `attachment; filename="${plain}"; filename*=UTF-8''${encoded(name)}`,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  }
}

/** RFC 8187 leaves fewer signs as they are than encodeURIComponent does. */
const encoded = (name: string) =>
  encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
