import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { MIB } from '#contract/platform/fields.ts'
import { makeHostilePictures } from '#tests/hostile-pictures.ts'
import { processorTimeOf } from '#tests/setup/processor-time.ts'
import { makeDecoder } from './decode-apart.ts'

const small = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#369' } })
  .jpeg()
  .toBuffer()

const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Lists the decoder processes that this process has started. */
const decodersNow = (): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => new RegExp(`^PPid:\\s+${process.pid}$`, 'm').test(read(`/proc/${pid}/status`)))
    .filter((pid) => read(`/proc/${pid}/cmdline`).includes('picture-process'))
    .map(Number)

/** Memory of a process in bytes: current or peak. */
const memoryOf = (pid: number, what: 'VmRSS' | 'VmHWM'): number =>
  Number(new RegExp(`${what}:\\s+(\\d+) kB`).exec(read(`/proc/${pid}/status`))?.[1] ?? 0) * 1024

/** Returns a decoder, and its process once it has decoded something. */
async function aDecoder(dataMax: number) {
  const before = decodersNow()
  const clean = makeDecoder(dataMax)
  expect(await clean(() => [small])).not.toBeNull()
  const pid = decodersNow().find((each) => !before.includes(each))!
  return { clean, pid }
}

/** A picture of 49 million pixels with 16 bits, which needs 373 MiB of memory but has a file of 2 MiB. */
const greedy = () =>
  sharp({ create: { width: 7000, height: 7000, channels: 4, background: { r: 1, g: 2, b: 3, alpha: 0.5 } } })
    .toColourspace('rgb16')
    .png({ progressive: true })
    .toBuffer()

describe.skipIf(process.platform !== 'linux')('the decoder process', () => {
  test(
    'rejects a picture that demands too much at once, and accepts the next',
    { tags: ['nightly'] },
    async () => {
      const picture = await greedy()
      const [strict, roomy] = [await aDecoder(900 * MIB), await aDecoder(2000 * MIB)]
      expect(await roomy.clean(() => [picture])).not.toBeNull()
      expect(memoryOf(roomy.pid, 'VmHWM')).toBeGreaterThan(400 * MIB)

      const own = process.memoryUsage().rss
      const took = await processorTimeOf(async () => {
        for (let n = 0; n < 3; n += 1) expect(await strict.clean(() => [picture])).toBeNull()
      })
      expect(took).toBeLessThan(3000)
      expect(memoryOf(strict.pid, 'VmHWM')).toBeLessThan(300 * MIB)
      expect(process.memoryUsage().rss - own).toBeLessThan(100 * MIB)
      expect(await strict.clean(() => [small])).not.toBeNull()
      expect(decodersNow()).toContain(strict.pid)
    },
  )

  test('dies alone if it cannot continue, and the next picture gets another', async () => {
    const clean = makeDecoder(100 * MIB)
    expect(await clean(() => [small])).toBeNull()
    expect(await clean(() => [small])).toBeNull()
  })

  test('is retried once in a new process if something else ended it', async () => {
    const others = decodersNow()
    const { clean, pid } = await aDecoder(2000 * MIB)
    process.kill(pid, 'SIGKILL')
    expect(await clean(() => [small])).not.toBeNull()

    let asked = 0
    const whileItIsRead = (times: number) =>
      clean(async function* () {
        asked += 1
        const [begin, end] = [small.subarray(0, 100), small.subarray(100)]
        yield begin
        if (asked <= times)
          for (const each of decodersNow()) if (!others.includes(each)) process.kill(each, 'SIGKILL')
        yield end
      })
    expect(await whileItIsRead(1)).not.toBeNull()
    expect(asked).toBe(2)
    asked = 0
    expect(await whileItIsRead(2)).toBeNull()
    expect(asked).toBe(2)
    expect(await clean(() => [small])).not.toBeNull()
  })

  test('can write no file and leaves no core dump', async () => {
    const { pid } = await aDecoder(2000 * MIB)
    const limits = read(`/proc/${pid}/limits`)
    expect(limits).toMatch(/Max file size\s+0\s+0/)
    expect(limits).toMatch(/Max core file size\s+0\s+0/)
    expect(limits).toMatch(new RegExp(`Max data size\\s+${2000 * MIB}\\s`))
    // The process is Node itself: the shell that set the limits is gone.
    expect(readlinkSync(`/proc/${pid}/exe`)).toContain('node')
  })

  test('and the server use constant memory over every hostile picture', { tags: ['nightly'] }, async () => {
    const corpus = await makeHostilePictures()
    const { clean, pid } = await aDecoder(2000 * MIB)
    const round = async () => {
      for (const { bytes } of corpus) await clean(() => [bytes])
    }
    await round()
    const before = { own: process.memoryUsage().rss, its: memoryOf(pid, 'VmRSS') }
    for (let n = 0; n < 3; n += 1) await round()
    const after = { own: process.memoryUsage().rss, its: memoryOf(pid, 'VmRSS') }
    expect(after.own - before.own).toBeLessThan(100 * MIB)
    expect(after.its - before.its).toBeLessThan(100 * MIB)
    expect(memoryOf(pid, 'VmHWM')).toBeLessThan(700 * MIB)
    if (process.env['TELL_MEMORY']) console.log(corpus.length, before, after, memoryOf(pid, 'VmHWM'))
  })
})
