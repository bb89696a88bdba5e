import { expect, test } from 'vitest'
import { listPaths, textOf } from './source-files.ts'

/** Archaisms, calques, and house words, each with its replacement. */
const banned: [RegExp, string][] = [
  [/\banew\b/i, 'again'],
  [/\b(nought|thereof|therein|hither)\b/i, 'a modern word'],
  [/\bat the latest\b/i, 'by, no later than'],
  [/\bas of\b/i, 'since, on'],
  [/\bin the place of\b/i, 'instead of'],
  [/\b(is|are|was|were) to be\b/i, 'must be, should be'],
  [/\b(no|some|every|any)body\b/i, 'no one, someone, everyone, anyone'],
  [/\b(whoever|whomever)\b/i, 'anyone who'],
  [/\botherwise than\b/i, 'differently from'],
  [/\bmeanwhile\b/i, 'in the meantime'],
  [/\bmails?\b(?! (server|provider|program|system))/i, 'email'],
  [/\be-mail/i, 'email'],
  [/\b(programme|colour|recognis|authoris|organis|serialis|sanitis)/i, 'American spelling'],
  [/\blost (second )?factors?\b/i, 'account recovery'],
  [/\bpay method/i, 'payment method'],
  [/\bfresh proof\b/i, 'confirm with your password or second factor'],
  [/\blook again\b/i, 'refresh'],
  [/ {2}/, 'one space'],
  [/['"]/, 'curly quotation marks'],
  [/\w\.\.\./, '…'],
  [/\bcancell(ed|ing)\b/i, 'canceled, canceling'],
]

/** Texts that the specification fixes, and names of tags. */
const exempt: Record<string, RegExp> = {
  'orders.upgrade.warning': /['"]|\.\.\./,
  'placeholder.title': /['"]/,
  'news.empty': /['"]|\.\.\./,
  'news.readMore': /\.\.\./,
  'whitePaper.versions.noFile': /mail/,
}

/** Chinese terms that must not be used, with their replacement (docs/glossary.md). */
const bannedInChinese: Record<string, string> = {
  身份验证: '身份认证',
  双重验证丢失: '账户恢复',
  第二人: '双人复核',
  两步验证: '双重验证',
  控制台: '运营后台',
  收回提议: '撤销提议',
  撤回提议: '撤销提议',
  登记付款: '提交付款',
}

type Text = { path: string; key: string; text: string }

function textsIn(path: string): Text[] {
  const texts: Text[] = []
  const walk = (value: unknown, key: string) => {
    if (typeof value === 'string') texts.push({ path, key, text: value })
    else if (value && typeof value === 'object')
      for (const [name, each] of Object.entries(value)) walk(each, key ? `${key}.${name}` : name)
  }
  walk(JSON.parse(textOf(path)), '')
  return texts
}

const files = (pattern: RegExp) => listPaths().filter((path) => pattern.test(path))

test('English messages, emails, and rules are written in plain words', () => {
  const texts = files(/^content\/(messages\/en\/.*|emails\/en|privacy\/en|rules\/en)\.json$/).flatMap(textsIn)
  expect(texts.length).toBeGreaterThan(4000)
  const found = texts.flatMap(({ path, key, text }) => {
    if (/[一-鿿]/.test(text)) return []
    const rules = banned.filter(([pattern]) => pattern.test(text.replaceAll(/<\/?\w+>/g, '')))
    const left = rules.filter(([pattern]) => !exempt[key]?.test(pattern.exec(text)?.[0] ?? ''))
    return left.map(([, instead]) => `${path}: ${key}: write “${instead}”: ${text}`)
  })
  expect(found).toEqual([])
})

test('Chinese messages and emails use one term for each concept', () => {
  const texts = files(/^content\/(messages\/cn\/.*|emails\/cn|privacy\/cn|rules\/cn)\.json$/).flatMap(textsIn)
  expect(texts.length).toBeGreaterThan(4000)
  const found = texts.flatMap(({ path, key, text }) =>
    Object.entries(bannedInChinese).flatMap(([word, instead]) =>
      text.includes(word) ? [`${path}: ${key}: ${instead}, not ${word}`] : [],
    ),
  )
  expect(found).toEqual([])
})

test('messages of two or more sentences end with punctuation', () => {
  const texts = files(/^content\/messages\/en\/.*\.json$/).flatMap(textsIn)
  const unfinished = texts.filter(
    ({ key, text }) =>
      !key.startsWith('field.') && /[a-z)]\. [A-Z]/.test(text) && !/[.!?:…)”]$|[}>]$/.test(text),
  )
  expect(unfinished.map(({ path, key, text }) => `${path}: ${key}: ${text}`)).toEqual([])
})

test('documentation is written in plain words', () => {
  const spoken = banned.slice(0, 10).concat(banned.slice(11, 16))
  const pages = files(/^(docs\/.*|[A-Z]+|[a-z]+\/README)\.md$/).filter(
    (path) => !/^THIRD-PARTY|\.cn\.md$|glossary\.md$/.test(path),
  )
  expect(pages.length).toBeGreaterThan(60)
  const found = pages.flatMap((path) => {
    const prose = textOf(path).replaceAll(/```[^]*?```|`[^`\n]*`|\]\([^)]*\)/g, '')
    return spoken.flatMap(([pattern, instead]) => {
      const [match] = pattern.exec(prose) ?? []
      return match ? [`${path}: “${match}”: write “${instead}”`] : []
    })
  })
  expect(found).toEqual([])
})
