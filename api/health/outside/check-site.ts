import type { HealthCheck } from '#contract/console/console-health.ts'
import { checked, type Examined } from '../check.ts'
import { ask, codeOf, type Answer } from './ask.ts'

const redirectsMax = 5
const filesMax = 100
/** The maximum number of missing files that are listed. */
const toldMax = 5

/** Whether visitors get the home page and every file that it references. */
export async function checkSite({ config }: Pick<Examined, 'config'>): Promise<HealthCheck> {
  const home = await open(config.publicUrl, 'br, gzip').catch(codeOf)
  if (typeof home === 'string')
    return checked('site', { facts: { why: home }, problems: { site_unreachable: true } })
  const { answer, url, isLoop } = home
  const isPage = answer.status === 200 && typeOf(answer).includes('text/html')
  if (!isPage)
    return checked('site', {
      facts: { why: `HTTP_${answer.status}` },
      problems: { site_redirects: isLoop, site_unreachable: !isLoop },
    })
  const plain = await open(config.publicUrl, 'identity').catch(() => undefined)
  const files = plain ? filesIn(plain.answer.body.toString(), url) : []
  const missing = (await Promise.all(files.map(async (file) => ((await isThere(file)) ? [] : [file])))).flat()
  // Served like films, which scripts request later.
  const film = files.find(({ pathname }) => /^\/assets\/(films|icons|media|share)\//.test(pathname))
  const part = film && (await ask(film, { headers: { range: 'bytes=0-9' } }).catch(() => undefined))
  return checked('site', {
    facts: {
      missing:
        missing
          .slice(0, toldMax)
          .map(({ pathname }) => pathname)
          .join(', ') || undefined,
    },
    problems: {
      site_files_missing: missing.length > 0,
      site_uncompressed: !/\b(br|gzip|zstd)\b/.test(String(answer.headers['content-encoding'])),
      // A cache that ignores the encodings a client accepts.
      proxy_caches: /\b(br|gzip|zstd)\b/.test(String(plain?.answer.headers['content-encoding'])),
      site_headers: answer.headers['content-security-policy'] === undefined,
      site_no_ranges: film !== undefined && !missing.includes(film) && part?.body.length !== 10,
    },
  })
}

const typeOf = ({ headers }: Answer): string => String(headers['content-type'])

/** Like a browser, follows redirects within the site, with a limit. */
async function open(from: URL, encoding: string): Promise<{ answer: Answer; url: URL; isLoop: boolean }> {
  let url = from
  for (let turn = 0; ; turn += 1) {
    const answer = await ask(url, { headers: { accept: 'text/html', 'accept-encoding': encoding } })
    const to = answer.status >= 300 && answer.status < 400 && answer.headers['location']
    if (!to || turn === redirectsMax) return { answer, url, isLoop: Boolean(to) }
    url = new URL(String(to), url)
  }
}

/** Scripts, style sheets, pictures, films, and fonts of the same origin, but not links to pages. */
function filesIn(html: string, page: URL): URL[] {
  const tags = html.match(/<(?:script|link|img|source|video)\b[^>]*>/g) ?? []
  const loaded = tags.filter(
    (tag) =>
      !tag.startsWith('<link') ||
      /rel="(?:stylesheet|preload|modulepreload|icon|manifest|apple-touch-icon)"/.test(tag),
  )
  const named = loaded.flatMap((tag) => {
    const sources = [...tag.matchAll(/\s(?:src|href|poster)="([^"]+)"/g)].map((match) => match[1]!)
    const sets = [...tag.matchAll(/\s(?:srcset|imagesrcset)="([^"]+)"/gi)].flatMap((match) =>
      match[1]!.split(',').map((each) => each.trim().split(/\s/)[0]!),
    )
    return [...sources, ...sets]
  })
  const urls = [...new Set(named.map((name) => name.replaceAll('&amp;', '&')))]
    .filter((name) => !name.startsWith('data:') && URL.canParse(name, page.href))
    .map((name) => new URL(name, page))
  return urls.filter(({ origin }) => origin === page.origin).slice(0, filesMax)
}

/** An HTML page in place of a file does not count. */
async function isThere(file: URL): Promise<boolean> {
  const answer = await ask(file, { headers: { 'accept-encoding': 'br, gzip' } }).catch(() => undefined)
  return answer !== undefined && answer.status === 200 && !typeOf(answer).includes('text/html')
}
