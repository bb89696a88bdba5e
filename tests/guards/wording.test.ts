import { expect, test } from 'vitest'
import { listPaths, textOf } from './source-files.ts'

/** Chinese terms that must not be used, with their replacement (docs/glossary.md). */
const insteadOf = { 您: '你', 身份验证器: '验证器应用', 指纹码: '特征码' }

test('the Chinese texts address everybody alike and have one word for one thing', () => {
  const chinese = listPaths().filter((path) =>
    /^content\/.*(?:cn\.json|\bcn\/.*\.(?:json|md)|facts\/.*\.json|samples\/.*\.json)$|\.cn\.md$/.test(path),
  )
  expect(chinese.length).toBeGreaterThan(40)
  const found = chinese.flatMap((path) =>
    Object.entries(insteadOf).flatMap(([word, right]) =>
      textOf(path).includes(word) ? [`${path}: ${word}, not ${right}`] : [],
    ),
  )
  expect(found).toEqual([])
})

test('every test that SECURITY.md and docs/deviations.md name is there', () => {
  const names = new Set(listPaths().map((path) => path.split('/').at(-1)))
  for (const path of ['SECURITY.md', 'docs/deviations.md']) {
    const named = [...textOf(path).matchAll(/`([\w-]+\.(?:test\.tsx?|e2e\.ts))`/g)].map(([, name]) => name!)
    expect(named.length).toBeGreaterThan(10)
    expect(named.filter((name) => !names.has(name))).toEqual([])
  }
})
