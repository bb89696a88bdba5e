import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { charactersOf, hanFaces } from './han-faces.ts'

const root = join(import.meta.dirname, '../..')
const kept = readFileSync(join(root, 'web/kernel/fonts/han-fallback-characters.txt'), 'utf8')

test('the Chinese fonts of the repository contain every character of the texts; if not, run scripts/make-fonts.ts', async () => {
  const characters = [...(await charactersOf(join(root, 'content')))]
  expect(characters.length).toBeGreaterThan(800)
  expect(characters.filter((each) => !kept.includes(each))).toEqual([])
})

test('no character is in both slices, and the first is small', async () => {
  const [rest, first] = await hanFaces(join(root, 'content'))
  const restCharacters = new Set(rest!.characters)
  expect([...first!.characters].filter((each) => restCharacters.has(each))).toEqual([])
  expect(first!.characters.length).toBeLessThan(400)
  expect(restCharacters.size).toBeGreaterThan(3400)
})
