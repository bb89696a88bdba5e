import { expect, test } from 'vitest'
import { readConfig, readConfigAndRemarks } from '#api/platform/config/config.ts'
import { exampleOf, settingAreas } from '#api/platform/config/settings.ts'
import { makeSettings } from '../../scripts/make-settings.ts'

const settings = Object.values(settingAreas).flat()
const names = settings.flatMap((setting) => setting.names)

test('the settings page matches the list of settings (npm run make:settings writes it)', () => {
  expect(makeSettings(true)).toBe(true)
})

test('every setting that the code reads is in the list, and no other', () => {
  const { known } = readConfigAndRemarks({
    SMTP_URL: 'smtp://mail.example',
    MAIL_FROM: 'a@example.org',
    CHAIN_BTC_URL: 'http://node.example',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.example',
  })
  const read = [...known]
    .filter((name) => !name.endsWith('_FILE'))
    .map((name) => name.replace('CHAIN_BTC_', 'CHAIN_<CODE>_'))
  const listed = new Set(names)
  expect(read.filter((name) => !listed.has(name)).toSorted()).toEqual([])
  const isRead = new Set(read)
  expect(names.filter((name) => !isRead.has(name))).toEqual([])
  expect(names).toHaveLength(listed.size)
})

test('every example is accepted by the setting that it is for', () => {
  const environment = Object.fromEntries(
    names
      // A contract and its treasury need a brand with Ethereum addresses, and their chain needs a node.
      .filter(
        (name) =>
          !/<CODE>|^TOKEN_(?:CONTRACT|CHAIN|TREASURY)|^OTEL_|^BACKUP_|_URL$|^SCREENING|^NODE_ENV/.test(name),
      )
      .flatMap((name) => {
        const example = exampleOf(name)
        return example === undefined ? [] : [[name, example.replaceAll('"', '')]]
      }),
  )
  expect(Object.keys(environment).length).toBeGreaterThan(30)
  expect(readConfig({ ...environment, NODE_ENV: 'development' }).port).toBe(3000)
})
