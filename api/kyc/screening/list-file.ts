import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { parseCsv } from './parse-csv.ts'
import { scorePerson } from './score-name.ts'
import type { ScreeningProvider } from './screen.ts'

type Listed = { name: string; born: string; list: string }

const scoreMin = 70
let read: { file: string; at: number; people: Listed[] } | undefined

/** Names of a CSV file with the column `name` and optionally `born` (a date) and `list`. Reloaded when it has changed. */
export const openListFile = (file: string): ScreeningProvider => ({
  async search(person) {
    const people = await readPeople(file)
    return people.flatMap((listed) => {
      const score = scorePerson(person, listed)
      return score >= scoreMin ? [{ provider: 'list file', ...listed, score }] : []
    })
  },
})

async function readPeople(file: string): Promise<Listed[]> {
  const { mtimeMs } = await stat(file)
  if (read?.file === file && read.at === mtimeMs) return read.people
  const [head = [], ...lines] = parseCsv(await readFile(file, 'utf8'))
  const column = (name: string) => head.findIndex((each) => each.trim().toLowerCase() === name)
  const [name, born, list] = [column('name'), column('born'), column('list')]
  if (name === -1) throw new Error('the screening list has no column "name"')
  const people = lines.flatMap((line) => {
    const listed = line[name]?.trim()
    return listed
      ? [{ name: listed, born: line[born]?.trim() ?? '', list: line[list]?.trim() || basename(file) }]
      : []
  })
  read = { file, at: mtimeMs, people }
  return people
}
