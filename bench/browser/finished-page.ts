const scriptElement = /<script\b[^>]*>[\s\S]*?<\/script>/g
const preload = /<link\b[^>]*\brel="modulepreload"[^>]*>/g

/** The page as it looks when everything has loaded. No script runs in it, so it waits for nothing. */
const withoutScripts = (html: string): string => html.replaceAll(scriptElement, '').replaceAll(preload, '')

/**
 * The page as static files, in its final state. The scripts that it loads are named in its head, so that they are also
 * downloaded and share the bandwidth, but nothing waits for them.
 */
export function finishedPage(html: string, scripts: readonly string[]): string {
  const links = scripts.map((address) => `<link rel="modulepreload" href="${new URL(address).pathname}">`)
  const bare = withoutScripts(html)
  const head = bare.indexOf('</head>')
  return bare.slice(0, head) + links.join('') + bare.slice(head)
}
