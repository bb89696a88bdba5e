import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { makeRightsTable } from '../../scripts/make-rights-table.ts'

const text = readFileSync(new URL('../../SECURITY.md', import.meta.url), 'utf8')
const cellsOf = (line: string) =>
  line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim())
const [, table = ''] = /<!-- rights: .* -->\n([^]+)\n<!-- \/rights -->/.exec(text) ?? []
const [heads = [], rule = [], ...rows] = table.split('\n').map(cellsOf)

test('the table of rights in SECURITY.md is that of the contract (npm run make:rights-table writes it anew)', () => {
  expect(makeRightsTable(true)).toBe(true)
})

test('every line of it has a cell for each head', () => {
  expect(heads).toEqual(['Call', 'Who', 'Fresh proof', 'Reading is recorded'])
  for (const cells of [rule, ...rows]) expect([cells[0], cells.length]).toEqual([cells[0], heads.length])
})

test('each call stands in one line, whose cells say who may make it, by what proof, and whether its reading is recorded', () => {
  const endpoints = Object.values<Endpoint>(api)
  expect(rows).toHaveLength(endpoints.length)
  const said = new Map(rows.map(([call, ...cells]) => [call, cells]))
  for (const { method, path, access, errors, recordsReading, recordsItself } of endpoints) {
    const call = `\`${method} ${path}\``
    const [who = '', proof, recorded] = said.get(call) ?? []
    expect([call, proof, recorded]).toEqual([
      call,
      errors.includes('step_up_required') ? 'asked for' : '',
      recordsReading || recordsItself ? 'recorded' : '',
    ])
    if (access.who === 'staff') {
      const inWords = { any: 'anyone of the staff', admin: 'an administrator' }
      const right =
        access.level === 'any' || access.level === 'admin'
          ? inWords[access.level]
          : `${access.level} ${access.atLeast}`
      expect([call, who]).toEqual([call, expect.stringContaining(right)])
      expect([call, who.startsWith('the member concerned')]).toEqual([call, access.orSelf])
    } else
      expect([call, who]).toEqual([call, expect.stringMatching(/^(anyone|a member|a phone|the browser)/)])
    expect([call, who === 'anyone']).toEqual([call, access.who === 'anyone'])
  }
})
