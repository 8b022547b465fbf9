// Runs before the first paint, so that a page in the dark scheme does not flash white. The key is that of web/main.tsx.
try {
  const chosen = localStorage.getItem('colorScheme')
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  const known = chosen === 'light' || chosen === 'dark'
  document.documentElement.dataset.mantineColorScheme = known ? chosen : system
} catch {
  // Storage is closed to this page: the app chooses by the system's preference a moment later.
}
