import { expect, test } from 'vitest'
import { startApi } from '#tests/setup/start-api.ts'
import { seedDemo } from './seed-demo.ts'

test('where a demo is off, where it is small, and where others can reach it, nobody is invented', async () => {
  const settings = [
    { isDemo: false, hasDemoWorld: true },
    { isDemo: true, hasDemoWorld: true, isLocal: false },
    { isDemo: true, hasDemoWorld: true, isProduction: true },
  ]
  for (const setting of settings) {
    const other = await startApi()
    Object.assign(other.services.config, setting)
    expect(await seedDemo(other.services)).toEqual([])
    expect(await other.services.db.selectFrom('member').select('id').execute()).toEqual([])
  }
  const small = await startApi()
  Object.assign(small.services.config, { isDemo: true, hasDemoWorld: false })
  expect((await seedDemo(small.services)).map(({ title }) => title)).toEqual(['admin', 'member'])
  for (const part of ['token_order', 'kyc_application', 'consent', 'ambassador'] as const)
    expect(await small.services.db.selectFrom(part).select('member_id').execute(), part).toEqual([])
})
