// The first that fits counts: most browsers also name those they are made from, and iPads and Androids name others.
const BROWSERS: readonly [mark: RegExp, name: string][] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|OPiOS|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/(Chrome|Chromium|CriOS)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.* Safari\//, 'Safari'],
]
const SYSTEMS: readonly [mark: RegExp, name: string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'Chromebook'],
  [/\b(Macintosh|Mac OS X)\b/, 'Mac'],
  [/\bLinux\b/, 'Linux'],
]

/**
 * "Chrome on Windows", "Safari on iPhone": what a User-Agent header says, in words of ours alone, so that they can stand
 * in a mail whoever sent the header. What is no browser is "A program".
 */
export function deviceInWords(userAgent: string | null | undefined): string {
  const text = userAgent ?? ''
  if (!text.startsWith('Mozilla/')) return 'A program'
  const browser = firstFit(BROWSERS, text) ?? 'A browser'
  const system = firstFit(SYSTEMS, text)
  return system === undefined ? browser : `${browser} on ${system}`
}

function firstFit(marks: readonly [mark: RegExp, name: string][], text: string): string | undefined {
  return marks.find(([mark]) => mark.test(text))?.[1]
}
