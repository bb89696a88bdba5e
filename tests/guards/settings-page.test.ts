import { expect, test } from 'vitest'
import { readConfig } from '#api/config.ts'
import { exampleOf, settingAreas } from '#api/environment/settings.ts'
import { makeSettings } from '../../scripts/make-settings.ts'
import { sourcesIn, textOf } from './source-files.ts'

const settings = Object.values(settingAreas).flat()
const names = settings.flatMap((setting) => setting.names)

test('the settings page matches the list of settings (npm run make:settings writes it)', () => {
  expect(makeSettings(true)).toBe(true)
})

test('every setting that the code reads is in the list, and no other', () => {
  const sources = [
    'api/config.ts',
    ...sourcesIn('api').filter((path) => /\/(read-|pool-limits|strict-transport|environment\/)/.test(path)),
  ]
  const code = [...new Set(sources)]
    .filter((path) => !path.endsWith('environment/settings.ts'))
    .map(textOf)
    .join('\n')
  const read = new Set(
    [...code.matchAll(/['"`]([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|PORT|HOST|DEMO)['"`]/g)].map(([, name]) => name!),
  )
  const general = names.filter((name) => !name.includes('<CODE>'))
  expect(general.filter((name) => !read.has(name))).toEqual([])
  expect(names).toHaveLength(new Set(names).size)
})

test('every example is accepted by the setting that it is for', () => {
  const environment = Object.fromEntries(
    names
      .filter((name) => !/<CODE>|^OTEL_|^BACKUP_|_URL$|^SCREENING|^NODE_ENV/.test(name))
      .flatMap((name) => {
        const example = exampleOf(name)
        return example === undefined ? [] : [[name, example.replaceAll('"', '')]]
      }),
  )
  expect(Object.keys(environment).length).toBeGreaterThan(30)
  expect(readConfig({ ...environment, NODE_ENV: 'development' }).port).toBe(3000)
})
