import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { gramsOf, searchFor, searchTextOf } from '../api/announcements/search-text.ts'
import {
  browsePublished,
  listAddresses,
  listPublished,
  readPostsAt,
} from '../api/announcements/reading.queries.ts'
import { openDatabase } from '../api/db/database.ts'
import { startEmbedded } from '../api/db/embedded/start-embedded.ts'
import { migrateToLatest } from '../api/db/migrate.ts'

/** What reading the news costs with 100, 1,000 and 10,000 posts in each language. */
const sizes = [100, 1000, 10_000]
const turns = 30

const english =
  'node release wallet block signature chain network upgrade report testnet mining key address event partner'.split(
    ' ',
  )
const chinese = '全节点钱包区块链签名网络升级报告测试网挖矿密钥地址活动合作发布同步验证'

// Always the same posts: figures of two runs can be compared.
let state = 1
const random = (below: number) => {
  state = (state * 48_271) % 2_147_483_647
  return state % below
}
const words = (language: string, count: number): string =>
  language === 'en'
    ? Array.from({ length: count }, () => english[random(english.length)]).join(' ')
    : Array.from({ length: count * 3 }, () => chinese[random(chinese.length)]).join('')

const dataDir = await mkdtemp(join(tmpdir(), 'bench-news-'))
const server = await startEmbedded({ dataDir, log: () => {} })
await migrateToLatest(server.url)
const db = openDatabase(server.url, () => {})

async function fillTo(count: number, from: number): Promise<void> {
  for (const language of ['en', 'cn'] as const)
    for (let start = from; start < count; start += 100) {
      const rows = Array.from({ length: Math.min(100, count - start) }, (_, n) => {
        const title = `${words(language, 5)} ${start + n}`
        // One post in a thousand holds the rare word.
        const rare = (start + n) % 1000 === 7 ? (language === 'en' ? ' hemlock' : '稀见词') : ''
        const content = `<p>${words(language, 200)}${rare}</p>`
        const text = searchTextOf(title, content)
        return {
          slug: `${language}-${start + n}`,
          title,
          category: ['News', 'Events', 'Technical Updates', 'Partnerships'][(start + n) % 4]!,
          language,
          content,
          content_summary: content.slice(0, 1500),
          posted_at: new Date(Date.UTC(2020, 0, 1) + (start + n) * 3_600_000),
          search_text: text,
          search_grams: gramsOf(text),
        }
      })
      await db.insertInto('announcement').values(rows).execute()
    }
  await sql`vacuum analyze announcement`.execute(db)
}

const browse = (q: string, page = 1, category?: string, language: 'en' | 'cn' = 'cn') =>
  browsePublished(db, { language, category, search: searchFor(q), page })

const questions: Record<string, (size: number) => Promise<unknown>> = {
  'list, first page': () => listPublished(db, 'cn', { limit: 20 }),
  'browse, first page': () => browse(''),
  'browse, last page': (size) => browse('', Math.min(size / 20, 500)),
  'browse, one category': () => browse('', 1, 'Events'),
  'search 区块 (in every post)': () => browse('区块'),
  'search 稀见词 (one in 1000)': () => browse('稀见词'),
  'search 稀 (one character)': () => browse('稀'),
  'search wallet (in every post)': () => browse('wallet', 1, undefined, 'en'),
  'search hemlock (one in 1000)': () => browse('hemlock', 1, undefined, 'en'),
  'search that finds nothing': () => browse('完全没有的词'),
  'one post': () => readPostsAt(db, 'cn-50'),
  'all addresses': () => listAddresses(db),
}

async function median(ask: () => Promise<unknown>): Promise<number> {
  await ask()
  const times: number[] = []
  for (let turn = 0; turn < turns; turn += 1) {
    const begun = performance.now()
    await ask()
    times.push(performance.now() - begun)
  }
  return times.sort((a, b) => a - b)[turns / 2]!
}

const table: Record<string, Record<string, string>> = {}
let filled = 0
for (const size of sizes) {
  await fillTo(size, filled)
  filled = size
  for (const [name, ask] of Object.entries(questions))
    table[name] = { ...table[name], [`${size} posts`]: `${(await median(() => ask(size))).toFixed(1)} ms` }
}
console.table(table)

await db.destroy()
await server.stop()
await rm(dataDir, { recursive: true, force: true })
