import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { Endpoint } from '#contract/platform/endpoint.ts'
import { makePermissions } from '../../scripts/make-permissions.ts'

const text = readFileSync(new URL('../../docs/reference/permissions.md', import.meta.url), 'utf8')
const cellsOf = (line: string) =>
  line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim())
const [, table = ''] = /<!-- Generated .* -->\n\n([^]+)\n$/.exec(text) ?? []
const [heads = [], rule = [], ...rows] = table.split('\n').map(cellsOf)

test('the permissions page matches the contract (npm run make:permissions writes it)', () => {
  expect(makePermissions(true)).toBe(true)
})

test('every row has a cell for each column', () => {
  expect(heads).toEqual(['Endpoint', 'Who', 'Step-up', 'Views are recorded'])
  for (const cells of [rule, ...rows]) expect([cells[0], cells.length]).toEqual([cells[0], heads.length])
})

test('every endpoint has one row with its access, step-up, and recording of views', () => {
  const endpoints = Object.values<Endpoint>(api)
  expect(rows).toHaveLength(endpoints.length)
  const said = new Map(rows.map(([call, ...cells]) => [call, cells]))
  for (const { method, path, access, errors, auditsAccess, auditsItself } of endpoints) {
    const call = `\`${method} ${path}\``
    const [who = '', proof, recorded] = said.get(call) ?? []
    expect([call, proof, recorded]).toEqual([
      call,
      errors.includes('step_up_required') ? 'required' : '',
      auditsAccess || auditsItself ? 'yes' : '',
    ])
    if (access.who === 'staff') {
      const inWords = {
        any: 'any staff',
        admin: 'administrator',
        support: `employee ${access.atLeast} or finance ${access.atLeast}`,
      }
      const right =
        access.level in inWords
          ? inWords[access.level as keyof typeof inWords]
          : `${access.level} ${access.atLeast}`
      expect([call, who]).toEqual([call, expect.stringContaining(right)])
      expect([call, who.startsWith('the member;')]).toEqual([call, access.orSelf])
    } else
      expect([call, who]).toEqual([
        call,
        expect.stringMatching(/^(anyone|the member|a linked phone|the session)/),
      ])
    expect([call, who === 'anyone']).toEqual([call, access.who === 'anyone'])
  }
})
