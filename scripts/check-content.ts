import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { z } from 'zod'
import { factSchemas, messageSchema } from './content-schema.ts'

type FactFile = keyof typeof factSchemas
type Facts = { [File in FactFile]?: z.infer<(typeof factSchemas)[File]> }
type Messages = Record<string, string>
type Report = (file: string, place: string, reason: string) => void

const WHOLE_FILE = '(file)'
const languages = ['en', 'cn'] as const

const metaRoutes = [
  'home',
  'login.signin',
  'login.signup',
  'login.reset',
  'login.changePassword',
  'login.activate',
  'ambassadorProgram',
  'help',
  'news',
  'account.userInfo',
  'account.accountDetails',
  'account.security',
  'kyc',
  'kyc.phone',
  'newsPreview',
  'currentlyUnavailable',
  'project',
  'legal.terms',
  'legal.privacy',
  'console',
]

/** Minimum and maximum characters, with the brand's name filled in. Search engines truncate longer ones. */
const metaLengths = {
  en: { title: [8, 60], description: [120, 160] },
  cn: { title: [4, 30], description: [35, 80] },
} as const

/** Everything wrong with the content of the repository at `root`, each as `file: place: reason`. */
export function checkContent(root: string): string[] {
  const content = join(root, 'content')
  const problems: string[] = []
  const report: Report = (file, place, reason) => problems.push(`content/${file}: ${place}: ${reason}`)
  const facts = checkFacts(content, report)
  checkMessages(content, facts['brand.json'], report)
  checkFiles(content, facts, report)
  return problems
}

function checkFacts(content: string, report: Report): Facts {
  const facts: Record<string, unknown> = {}
  for (const [file, schema] of Object.entries(factSchemas)) {
    const value = readJson(content, file, report)
    if (value === undefined) continue
    const { data, error } = (schema as z.ZodType).safeParse(value)
    if (data) facts[file] = data
    for (const { path, message } of error?.issues ?? [])
      report(file, placeOf(value, path), message.endsWith('received undefined') ? 'missing' : message)
  }
  for (const name of filesIn(join(content, 'facts')))
    if (!(`facts/${name}` in factSchemas)) report(`facts/${name}`, WHOLE_FILE, 'has no schema')
  return facts
}

function checkMessages(content: string, brand: Facts['brand.json'], report: Report) {
  const folders = { en: filesIn(join(content, 'messages/en')), cn: filesIn(join(content, 'messages/cn')) }
  const homes = new Map<string, string>()
  for (const name of new Set([...folders.en, ...folders.cn])) {
    const files = { en: `messages/en/${name}`, cn: `messages/cn/${name}` }
    const en = readMessages(content, files.en, report)
    const cn = readMessages(content, files.cn, report)
    if (!en || !cn) continue
    for (const key of Object.keys(en)) {
      if (homes.has(key)) report(files.en, key, `is also in ${homes.get(key)}`)
      homes.set(key, files.en)
      const english = en[key]!
      const chinese = cn[key]
      if (chinese === undefined) {
        report(files.cn, key, 'missing')
        continue
      }
      if (placeholdersOf(english) !== placeholdersOf(chinese))
        report(
          files.cn,
          key,
          `placeholders are ${placeholdersOf(chinese) || 'none'}, in English ${placeholdersOf(english) || 'none'}`,
        )
      if (tagsOf(english) !== tagsOf(chinese))
        report(
          files.cn,
          key,
          `tags are ${tagsOf(chinese) || 'none'}, in English ${tagsOf(english) || 'none'}`,
        )
      for (const language of languages) {
        const text = language === 'en' ? english : chinese
        if (!hasClosedTags(text)) report(files[language], key, 'has a tag that is not closed')
        if (brand && (text.includes(brand.name) || text.split(/\W+/).includes(brand.ticker)))
          report(files[language], key, 'names the brand: use {brand} or {ticker}')
      }
    }
    for (const key of Object.keys(cn)) if (!(key in en)) report(files.en, key, 'missing')
    if (name === 'meta.json' && brand) {
      checkMeta(files.en, en, 'en', brand, report)
      checkMeta(files.cn, cn, 'cn', brand, report)
    }
  }
}

function checkMeta(
  file: string,
  messages: Messages,
  language: 'en' | 'cn',
  { name, ticker }: { name: string; ticker: string },
  report: Report,
) {
  for (const route of metaRoutes)
    for (const part of ['title', 'description'])
      if (!(`meta.${route}.${part}` in messages)) report(file, `meta.${route}.${part}`, 'missing')
  for (const [key, text] of Object.entries(messages)) {
    const part = key.slice(key.lastIndexOf('.') + 1)
    if (!key.startsWith('meta.') || (part !== 'title' && part !== 'description')) {
      report(file, key, 'is not meta.<route>.title or .description')
      continue
    }
    const [shortest, longest] = metaLengths[language][part]
    const { length } = text.replaceAll('{brand}', name).replaceAll('{ticker}', ticker)
    if (length < shortest || length > longest)
      report(file, key, `has ${length} characters, must have ${shortest} to ${longest}`)
  }
}

/** The files of a film that pages load: both codecs, stills, and captions where needed. */
const filmEndings = {
  all: ['.mp4', '.av1.mp4', '.jpg', '.avif'],
  hero: ['-narrow.jpg', '-narrow.avif'],
  story: ['-640.avif', ...languages.map((language) => `-${language}.vtt`)],
}

/** Files that entries name. PDFs and films are made by scripts, so they are required only once some exist. */
function checkFiles(content: string, facts: Facts, report: Report) {
  const pdfs = filesIn(join(content, 'media/pdfs'))
  const needPdf = (file: string, place: string, pdf: string) => {
    if (pdfs.length > 0 && !pdfs.includes(pdf)) report(file, place, `no media/pdfs/${pdf}`)
  }
  for (const [id, base] of Object.entries(facts['brand.json']?.documents ?? {}))
    for (const language of languages) needPdf('brand.json', `documents.${id}`, `${base}-${language}.pdf`)
  for (const { id, fileTitle, hasChinese } of facts['facts/manuals.json'] ?? []) {
    needPdf('facts/manuals.json', `${id}.fileTitle`, `${fileTitle}-en.pdf`)
    if (hasChinese) needPdf('facts/manuals.json', `${id}.fileTitle`, `${fileTitle}-cn.pdf`)
    else if (pdfs.includes(`${fileTitle}-cn.pdf`))
      report('facts/manuals.json', `${id}.hasChinese`, `media/pdfs/${fileTitle}-cn.pdf is never offered`)
  }

  const films = filesIn(join(content, 'media/films'))
  for (const { id, place, file } of films.length > 0 ? (facts['facts/films.json'] ?? []) : [])
    for (const ending of [...filmEndings.all, ...filmEndings[place === 'hero' ? 'hero' : 'story']])
      if (!films.includes(file + ending))
        report('facts/films.json', `${id}.file`, `no media/films/${file}${ending}`)

  const team = (facts['facts/team.json'] ?? []).flatMap(({ members }) => members)
  const people = { 'facts/team.json': team, 'facts/ambassadors.json': facts['facts/ambassadors.json'] ?? [] }
  for (const [file, entries] of Object.entries(people))
    for (const { id, photo } of entries)
      if (photo && !existsSync(join(content, 'media/people', photo)))
        report(file, `${id}.photo`, `no media/people/${photo}`)
}

function readMessages(content: string, file: string, report: Report): Messages | undefined {
  const value = readJson(content, file, report)
  if (value === undefined) return undefined
  const { data, error } = messageSchema.safeParse(value)
  for (const { path, message } of error?.issues ?? []) report(file, path.join('.') || WHOLE_FILE, message)
  // JSON.parse silently keeps the last of two equal keys.
  const keys: string[] = readFileSync(join(content, file), 'utf8').match(/^\s*"[^"]+"(?=\s*:)/gm) ?? []
  const repeated = keys.filter((key, at) => keys.indexOf(key) < at)
  for (const key of repeated) report(file, JSON.parse(key) as string, 'is there twice')
  return data
}

function readJson(content: string, file: string, report: Report): unknown {
  if (!existsSync(join(content, file))) {
    report(file, WHOLE_FILE, 'missing')
    return undefined
  }
  try {
    return JSON.parse(readFileSync(join(content, file), 'utf8'))
  } catch (error) {
    report(file, WHOLE_FILE, `is not JSON: ${(error as Error).message}`)
    return undefined
  }
}

function filesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).filter((name) => !name.startsWith('.')) : []
}

/** The path with each entry's id instead of its index: `some-entry.cn.title`. */
function placeOf(value: unknown, path: PropertyKey[]): string {
  let at = value
  const steps = path.map((step) => {
    at = (at as Record<PropertyKey, unknown> | undefined)?.[step]
    const id = (at as { id?: unknown } | undefined)?.id
    return typeof step === 'number' && typeof id === 'string' ? id : String(step)
  })
  return steps.join('.') || WHOLE_FILE
}

/** Which placeholders occur, not how often: Chinese may use a name once where English uses it twice. */
function placeholdersOf(text: string): string {
  return [...new Set(text.match(/\{\w+\}/g))].toSorted().join(' ')
}

function tagsOf(text: string): string {
  return (text.match(/<\/?\w+>/g) ?? []).toSorted().join(' ')
}

function hasClosedTags(text: string): boolean {
  return !/<\/?\w+>/.test(text.replaceAll(/<(\w+)>[^<]*<\/\1>/g, ''))
}

// Not `import.meta.main`: run.mjs may be what node was started with.
if (process.argv[1] === import.meta.filename) {
  const problems = checkContent(resolve(import.meta.dirname, '..'))
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exitCode = 1
}
