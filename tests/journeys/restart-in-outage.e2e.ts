import { realpathSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { clusterIn } from '#api/platform/db/embedded/cluster/cluster.ts'
import { knownPlace } from '#api/platform/db/embedded/cluster/place.ts'
import { readPostmasterFile } from '#api/platform/db/embedded/postmaster/postmaster-file.ts'
import { copyTemplate, dropDatabase } from '#tests/setup/database-copy.ts'
import { startProduct, stop } from '#tests/setup/start-product.ts'
import { makeTemporary, removeTemporary } from '#tests/setup/temporary.ts'
import { aWayTo } from '#tests/setup/way-to-database.ts'

async function aDataDir(): Promise<string> {
  const dataDir = await makeTemporary('restart')
  onTestFinished(() => removeTemporary(dataDir))
  return dataDir
}

const postmasterOf = (dataDir: string): number =>
  readPostmasterFile(clusterIn(knownPlace(realpathSync(dataDir))).data)!.pid

test('starts again at once after the embedded database was killed', { tags: ['nightly'] }, async () => {
  const dataDir = await aDataDir()
  const first = await startProduct({ dataDir })
  const ended = new Promise<number | null>((resolve) => first.process.once('exit', resolve))
  process.kill(postmasterOf(dataDir), 'SIGKILL')
  expect(await ended).toBe(1)
  expect(first.output()).toContain('The embedded database stopped unexpectedly')

  const second = await startProduct({ dataDir })
  expect(await second.stop()).toBe(0)
})

test(
  'starts again at once after it was stopped while the database was unreachable',
  { tags: ['nightly'] },
  async () => {
    const dataDir = await aDataDir()
    const databaseUrl = await copyTemplate()
    onTestFinished(() => dropDatabase(databaseUrl))
    const { way, url } = await aWayTo(databaseUrl)
    const first = await startProduct({ dataDir, settings: { DATABASE_URL: url } })
    way.isSilent = true
    await stop(first.process)

    const second = await startProduct({ dataDir, settings: { DATABASE_URL: databaseUrl } })
    expect(await second.stop()).toBe(0)
  },
)
