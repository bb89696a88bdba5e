import type { Insertable } from 'kysely'
import { gramsOf, searchTextOf } from '../../api/publishing/announcements/search-text.ts'
import type { Tx } from '../../api/platform/db/database.ts'
import type { DB } from '../../api/platform/db/rows.ts'
import { categoryNames } from '../../contract/publishing/announcements.ts'
import { DAY, HOUR } from '../../contract/platform/durations.ts'

type Post = Insertable<DB['announcement']>

/**
 * Words that occur in most posts, pairs of syllables that occur in many, and one word that occurs in one post out of a
 * thousand.
 */
const frequent = 'network wallet node release block signature chain upgrade'.split(' ')
export const syllables = 'ba den fir gol han jin kar lem mos nur pol ras sel tam vin wex yor zul'.split(' ')
const chinese = '全节点钱包区块链签名网络升级报告测试网挖矿密钥地址活动合作发布同步验证'
const rareFrom = 7

/** Always returns the same numbers, so that the results of two runs can be compared. */
function makeRandom(seed: number): (below: number) => number {
  let state = (seed * 2_654_435_761 + 1) % 2_147_483_647
  return (below) => {
    state = (state * 48_271) % 2_147_483_647
    return state % below
  }
}

function englishWord(random: (below: number) => number): string {
  if (random(4) === 0) return frequent[random(frequent.length)]!
  return syllables[random(syllables.length)]! + syllables[random(syllables.length)]!
}

const textOf = (language: 'en' | 'cn', count: number, random: (below: number) => number): string =>
  language === 'en'
    ? Array.from({ length: count }, () => englishWord(random)).join(' ')
    : Array.from({ length: count * 2 }, () => chinese[random(chinese.length)]).join('')

/**
 * The `n`th post: three paragraphs of about 1.3 kB, similar to real posts. Every second one is the translation of the
 * previous one; some are drafts, scheduled, or in the trash.
 */
function postAt(n: number, now: number): Post {
  const random = makeRandom(n)
  const language = n % 2 === 0 ? 'cn' : 'en'
  const title = language === 'en' ? `A network upgrade ${n}` : `网络升级 ${n}`
  const rare = n % 1000 === rareFrom ? (language === 'en' ? ' hemlock' : '稀见词') : ''
  const paragraph = () => `<p>${textOf(language, 60, random)}</p>`
  const content = `${paragraph()}<h2>${textOf(language, 4, random)}</h2>${paragraph()}${paragraph()}${rare && `<p>${rare}</p>`}`
  const search_text = searchTextOf(title, content)
  const state = n % 100 === 0 ? 'deleted' : n % 70 === 1 ? 'draft' : n % 900 === 2 ? 'scheduled' : 'published'
  return {
    id: `post-${n}`,
    slug: `post-${Math.floor(n / 2)}`,
    title,
    category: categoryNames[n % categoryNames.length]!,
    language,
    content,
    content_summary: content.slice(0, content.indexOf('<h2>')),
    search_text,
    search_grams: gramsOf(search_text),
    state,
    posted_at: new Date(now - n * 2 * HOUR),
    changed_at: new Date(now - n * HOUR),
    created_by: 'member-1',
    ...(state === 'scheduled' && { publish_at: new Date(now + DAY), publish_zone: 'UTC' }),
    ...(state === 'deleted' && { deleted_at: new Date(now - HOUR) }),
  }
}

const atOnce = 200

export async function insertPosts(db: Tx, count: number): Promise<void> {
  const now = Date.now()
  for (let from = 1; from <= count; from += atOnce) {
    const posts = Array.from({ length: Math.min(atOnce, count - from + 1) }, (_, n) => postAt(from + n, now))
    await db.insertInto('announcement').values(posts).execute()
  }
}
