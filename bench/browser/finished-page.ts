const scriptElement = /<script\b[^>]*>[\s\S]*?<\/script>/g
const preload = /<link\b[^>]*\brel="modulepreload"[^>]*>/g

/** The page as it stands when all is there: nothing runs in it, so nothing can be waited for or moved. */
const withoutScripts = (html: string): string => html.replaceAll(scriptElement, '').replaceAll(preload, '')

/**
 * A page as plain files: as it stands when all is there, and the scripts that it took are named in its head, so that they come as
 * well and share the line, but nothing waits for them.
 */
export function finishedPage(html: string, scripts: readonly string[]): string {
  const links = scripts.map((address) => `<link rel="modulepreload" href="${new URL(address).pathname}">`)
  const bare = withoutScripts(html)
  const head = bare.indexOf('</head>')
  return bare.slice(0, head) + links.join('') + bare.slice(head)
}
