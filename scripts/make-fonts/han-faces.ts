import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Face } from './faces.ts'

/** Chinese characters and the punctuation and full-width letters that belong to them. */
const han = /[\u2e80-\u303f\u3400-\u9fff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef]/g
const hanRange = 'U+2E80-303F, U+3400-9FFF, U+F900-FAFF, U+FE30-FE4F, U+FF00-FFEF'

/** Chinese fonts that systems include or that people install, in any style, by full and PostScript name. */
const names = [
  ['PingFang SC', 'PingFangSC-Regular', 'Hiragino Sans GB', 'HiraginoSansGB-W3'],
  ['Microsoft YaHei', 'MicrosoftYaHei', 'SimHei', 'SimSun'],
  ['Noto Sans CJK SC', 'NotoSansCJKsc-Regular', 'Noto Sans SC', 'NotoSansSC-Regular'],
  ['Source Han Sans SC', 'SourceHanSansSC-Regular', 'Source Han Sans CN', 'SourceHanSansCN-Regular'],
  ['Noto Serif CJK SC', 'NotoSerifCJKsc-Regular', 'Noto Sans CJK TC', 'Noto Sans CJK JP'],
  ['WenQuanYi Micro Hei', 'WenQuanYi Zen Hei', 'Droid Sans Fallback', 'AR PL UMing CN', 'AR PL UKai CN'],
].flat()

/** The texts that nearly every visit shows: the frame and the top of the home page. */
const firstFiles = ['brand.json', 'messages/cn/layout.json']
const firstWords = /^home\.hero\./

/** All other Chinese text of the content that pages show. */
const restFolders = ['messages/cn', 'facts', 'samples']

const charactersIn = (text: string): string[] => text.match(han) ?? []
const textOf = (folder: string, file: string) => readFile(join(folder, file), 'utf8')

/** Returns every Chinese character in the texts of the site. `content` is their folder. */
export async function charactersOf(content: string): Promise<Set<string>> {
  const files = await Promise.all(
    restFolders.map(async (folder) =>
      (await readdir(join(content, folder)))
        .filter((file) => file.endsWith('.json'))
        .map((file) => join(folder, file)),
    ),
  )
  const texts = await Promise.all(['brand.json', ...files.flat()].map((file) => textOf(content, file)))
  return new Set(charactersIn(texts.join('')))
}

/**
 * Returns a Chinese face in two slices, for machines without any Chinese font. `content` is the folder of the texts.
 */
export async function hanFaces(content: string): Promise<Face[]> {
  const home = JSON.parse(await textOf(content, 'messages/cn/home.json')) as Record<string, string>
  const hero = Object.entries(home).flatMap(([key, words]) => (firstWords.test(key) ? words : []))
  const frame = await Promise.all(firstFiles.map((file) => textOf(content, file)))
  const first = new Set(charactersIn([...frame, ...hero].join('')))
  const rest = [...(await charactersOf(content)), ...everydayCharacters()].filter((each) => !first.has(each))
  const face = (slice: string, characters: Set<string>, range: string): Face => ({
    file: `han-fallback-${slice}.woff2`,
    family: 'Han Fallback',
    source: '@fontsource/noto-sans-sc/files/noto-sans-sc-chinese-simplified-400-normal.woff2',
    characters: inOrder(characters),
    range,
    instead: names,
    axes: {},
    weights: '400',
  })
  // If the ranges of two faces contain the same character, the later face is used, so the first slice comes last.
  return [face('rest', new Set(rest), hanRange), face('first', first, rangeOf(first))]
}

/** The 3,755 characters of GB 2312's first level, which cover nearly everything that people type. */
function everydayCharacters(): string[] {
  const decoder = new TextDecoder('gbk')
  return Array.from({ length: 0xd7 - 0xb0 + 1 }, (_, row) =>
    Array.from({ length: 94 }, (_, cell) => decoder.decode(Uint8Array.of(0xb0 + row, 0xa1 + cell))),
  )
    .flat()
    .flatMap(charactersIn)
}

/** The characters of the slices, for readers and for the test. */
export const hanCharacters = (faces: readonly Face[]): string =>
  faces.map(({ characters }) => `${characters}\n`).join('')

const inOrder = (characters: Iterable<string>): string => [...characters].sort().join('')

function rangeOf(characters: Iterable<string>): string {
  const spans: { from: number; to: number }[] = []
  for (const character of inOrder(characters)) {
    const point = character.codePointAt(0)!
    const last = spans.at(-1)
    if (last?.to === point - 1) last.to = point
    else spans.push({ from: point, to: point })
  }
  const hex = (point: number) => point.toString(16).toUpperCase()
  return spans.map(({ from, to }) => `U+${hex(from)}${to > from ? `-${hex(to)}` : ''}`).join(', ')
}
