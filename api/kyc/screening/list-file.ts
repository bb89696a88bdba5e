import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { parseCsv } from './parse-csv.ts'
import { scorePerson } from './score-name.ts'
import type { Found, Person } from './screen.ts'

type Listed = { name: string; born: string; list: string }
type Lists = { file: string; at: number; listHash: string; people: Listed[]; lists: Found['lists'] }

const scoreMin = 70
const matchesMax = 20
let read: Lists | undefined

/** Names of a CSV file with the column `name` and optionally `born` (a date) and `list`. Reloaded when it has changed. */
export async function searchListFile(file: string, person: Person): Promise<Omit<Found, 'state'>> {
  const { people, lists, listHash } = await readPeople(file)
  const matches = people.flatMap((listed) => {
    const score = scorePerson(person, listed)
    return score >= scoreMin ? [{ provider: 'list file', ...listed, score }] : []
  })
  return {
    lists,
    listHash,
    matches: matches.toSorted((a, b) => b.score - a.score).slice(0, matchesMax),
    cleared: 0,
    isCut: false,
  }
}

async function readPeople(file: string): Promise<Lists> {
  const { mtimeMs } = await stat(file)
  if (read?.file === file && read.at === mtimeMs) return read
  const text = await readFile(file, 'utf8')
  const [head = [], ...lines] = parseCsv(text)
  const column = (name: string) => head.findIndex((each) => each.trim().toLowerCase() === name)
  const [name, born, list] = [column('name'), column('born'), column('list')]
  if (name === -1) throw new Error('the screening list has no column "name"')
  const people = lines.flatMap((line) => {
    const listed = line[name]?.trim()
    return listed
      ? [{ name: listed, born: line[born]?.trim() ?? '', list: line[list]?.trim() || basename(file) }]
      : []
  })
  const listHash = createHash('sha256').update(text).digest('hex')
  const date = new Date(mtimeMs).toISOString().slice(0, 10)
  const names = [...new Set(people.map((each) => each.list))]
  const lists = names.map((each) => ({
    name: each,
    date,
    entries: people.filter((listed) => listed.list === each).length,
    isOld: false,
  }))
  read = { file, at: mtimeMs, listHash, people, lists }
  return read
}
