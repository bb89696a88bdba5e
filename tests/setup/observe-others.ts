import { spawn } from 'node:child_process'
import { Agent, get } from 'node:http'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { defaultAppId } from '#contract/people/apps.ts'

/**
 * What a second client observed in the meantime: response times in milliseconds, in total and by path, and failed
 * requests.
 */
export type Observed = { times: number[]; timesAt: Record<string, number[]>; failures: number }

/** A path to read, and the headers to send. */
export type Place = { path: string; headers?: Record<string, string> }

const visited: readonly Place[] = ['/v2/health', '/v2/announcements/en?limit=1', '/', '/news'].map(
  (path) => ({ path }),
)
const every = 25

/**
 * A visitor who keeps reading while `work` runs. It is a separate process, so that the work's cost in this process does
 * not count as the product's. It uses several client addresses, because a limit on the attacker must not apply to it.
 */
export async function observeOthers(
  url: string,
  work: () => Promise<unknown>,
  places: readonly Place[] = visited,
): Promise<Observed> {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), url, JSON.stringify(places)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })
  const said = lines[Symbol.asyncIterator]()
  await said.next()
  await work()
  child.stdin.end()
  const { value } = await said.next()
  return JSON.parse(String(value)) as Observed
}

export const worstOf = ({ times }: Observed): number => Math.max(...times)

const timeOf = (agent: Agent, url: string, { path, headers }: Place): Promise<number | null> =>
  new Promise((resolve) => {
    const begun = performance.now()
    const options = {
      agent,
      headers: { 'x-app-id': defaultAppId, 'x-forwarded-for': '198.51.100.7', ...headers },
      timeout: 60_000,
    }
    get(url + path, options, (answer) => {
      answer.resume()
      answer.on('end', () => resolve(answer.statusCode === 200 ? performance.now() - begun : null))
    }).on('error', () => resolve(null))
  })

async function observe(url: string, places: readonly Place[]): Promise<void> {
  const agent = new Agent({ keepAlive: true })
  const timesAt: Record<string, number[]> = Object.fromEntries(places.map(({ path }) => [path, []]))
  const seen: Observed = { times: [], timesAt, failures: 0 }
  let isOver = false
  process.stdin.on('end', () => (isOver = true)).resume()
  for (const place of places) await timeOf(agent, url, place)
  console.log('begun')
  for (let n = 0; !isOver || n < 20; n += 1) {
    const place = places[n % places.length]!
    const time = await timeOf(agent, url, place)
    if (time === null) seen.failures += 1
    else {
      seen.times.push(time)
      timesAt[place.path]!.push(time)
    }
    await new Promise((resolve) => setTimeout(resolve, every))
  }
  agent.destroy()
  console.log(JSON.stringify(seen))
}

if (process.argv[1] === import.meta.filename)
  await observe(process.argv[2]!, JSON.parse(process.argv[3]!) as Place[])
