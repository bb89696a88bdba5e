import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, globSync, mkdirSync, writeFileSync } from 'node:fs'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { freePort, stop } from './start-product.ts'
import { makeTemporary, removeTemporary } from './temporary.ts'

/**
 * Clients for Debian's Firefox and WebKit, limited to what journeys need. Firefox supports WebDriver BiDi, and WebKit's
 * driver supports WebDriver over HTTP. Two short clients are smaller than a package with drivers of its own.
 */
export type Driven = {
  /** Returns when the page has loaded. */
  visit(address: string): Promise<void>
  /** Runs the body of an async function in the page and returns its result. */
  ask<Value>(body: string): Promise<Value>
  resize(width: number, height: number): Promise<void>
  /** Errors and warnings that pages logged to the console. */
  complaints: string[]
  /** Returns the visible text of the page without running scripts in it. */
  shownText(): Promise<string>
}

const oneCommand = 'apt-get install --no-install-recommends firefox-esr webkit2gtk-driver xvfb'
const missing = (what: string): Error => new Error(`${what} is not installed. On Debian: ${oneCommand}`)

const untilThere = async <Value>(attempt: () => Promise<Value>, tries = 200): Promise<Value> => {
  for (let n = 0; ; n += 1)
    try {
      return await attempt()
    } catch (error) {
      if (n === tries) throw error
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
}

function start(command: string, words: string[], env: Record<string, string> = {}): ChildProcess {
  const child = spawn(command, words, { stdio: 'ignore', env: { ...process.env, ...env } })
  onTestFinished(async () => void (await stop(child, command.endsWith('Xvfb') ? 'SIGTERM' : 'SIGKILL')))
  return child
}

type Sent = { id: number; resolve: (value: never) => void; reject: (error: Error) => void }
type Message = {
  id?: number
  type: string
  method?: string
  params?: Logged
  result?: never
  message?: string
}
type Logged = { level?: string; text?: string }

export async function driveFirefox(preferences: Record<string, boolean | number> = {}): Promise<Driven> {
  const path = '/usr/bin/firefox-esr'
  if (!existsSync(path)) throw missing('Firefox')
  const profile = await makeTemporary('firefox')
  onTestFinished(() => removeTemporary(profile))
  mkdirSync(profile, { recursive: true })
  const lines = Object.entries(preferences).map(([name, value]) => `user_pref("${name}", ${value});`)
  writeFileSync(join(profile, 'user.js'), lines.join('\n'))
  const port = await freePort()
  start(path, ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', String(port)], {
    HOME: profile,
  })
  const socket = await untilThere(
    () =>
      new Promise<WebSocket>((resolve, reject) => {
        const opening = new WebSocket(`ws://127.0.0.1:${port}/session`)
        opening.addEventListener('open', () => resolve(opening))
        opening.addEventListener('error', () => reject(new Error('Firefox does not answer')))
      }),
  )
  onTestFinished(() => socket.close())
  const waiting = new Map<number, Sent>()
  const complaints: string[] = []
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as Message
    if (message.method === 'log.entryAdded' && ['error', 'warn'].includes(message.params?.level ?? ''))
      complaints.push(message.params?.text ?? '')
    const sent = message.id === undefined ? undefined : waiting.get(message.id)
    if (!sent) return
    waiting.delete(sent.id)
    if (message.type === 'error') sent.reject(new Error(message.message))
    else sent.resolve(message.result!)
  })
  let last = 0
  const send = <Result>(method: string, params: object): Promise<Result> =>
    new Promise((resolve, reject) => {
      const id = (last += 1)
      waiting.set(id, { id, resolve, reject })
      socket.send(JSON.stringify({ id, method, params }))
    })
  await send('session.new', { capabilities: {} })
  await send('session.subscribe', { events: ['log.entryAdded'] })
  const { contexts } = await send<{ contexts: { context: string }[] }>('browsingContext.getTree', {})
  const { context } = contexts[0]!
  return {
    complaints,
    visit: (url) => send('browsingContext.navigate', { context, url, wait: 'complete' }),
    async ask(body) {
      const { result, exceptionDetails } = await send<{
        result?: { value?: string }
        exceptionDetails?: { text: string }
      }>('script.evaluate', {
        expression: `(async () => { ${body} })().then((value) => JSON.stringify(value ?? null))`,
        target: { context },
        awaitPromise: true,
      })
      if (exceptionDetails) throw new Error(exceptionDetails.text)
      return JSON.parse(result?.value ?? 'null')
    },
    resize: (width, height) => send('browsingContext.setViewport', { context, viewport: { width, height } }),
    async shownText() {
      const { nodes } = await send<{ nodes: Found[] }>('browsingContext.locateNodes', {
        context,
        locator: { type: 'css', value: 'body' },
        serializationOptions: { maxDomDepth: 30 },
      })
      const textOf = ({ value }: Found): string =>
        value?.nodeValue ?? (value?.children ?? []).map(textOf).join(' ')
      return nodes.map(textOf).join(' ')
    },
  }
}
type Found = { value?: { nodeValue?: string; children?: Found[] } }

const socketOf = (screen: number): string => `/tmp/.X11-unix/X${screen}`

let lastScreen = 100 + (process.pid % 10_000)
function freeScreen(): number {
  do lastScreen += 1
  while (existsSync(socketOf(lastScreen)) || existsSync(`/tmp/.X${lastScreen}-lock`))
  return lastScreen
}

export async function driveWebKit(): Promise<Driven> {
  const [driver, display] = ['/usr/bin/WebKitWebDriver', '/usr/bin/Xvfb']
  const [binary] = globSync('/usr/lib/*/webkit2gtk-4.*/MiniBrowser')
  if (!existsSync(driver) || !binary) throw missing('WebKit')
  if (!existsSync(display)) throw missing('Xvfb')
  const [port, screen] = [await freePort(), freeScreen()]
  start(display, [`:${screen}`, '-screen', '0', '1400x1000x24', '-nolisten', 'tcp'])
  await untilThere(async () => access(socketOf(screen)))
  start(driver, [`--port=${port}`, '--host=127.0.0.1'], {
    DISPLAY: `:${screen}`,
    GDK_BACKEND: 'x11',
    LIBGL_ALWAYS_SOFTWARE: '1',
    WEBKIT_DISABLE_COMPOSITING_MODE: '1',
  })
  const send = async <Result>(method: string, path: string, body?: object): Promise<Result> => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(body && { body: JSON.stringify(body) }),
    })
    const { value } = (await answer.json()) as { value: Result & { message?: string } }
    if (!answer.ok) throw new Error(`${path}: ${value.message}`)
    return value
  }
  await untilThere(() => send('GET', '/status'))
  const options = { binary, args: ['--automation'] }
  const { sessionId } = await untilThere(
    () =>
      send<{ sessionId: string }>('POST', '/session', {
        capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': options } },
      }),
    3,
  )
  const session = `/session/${sessionId}`
  onTestFinished(() => send('DELETE', session).then(() => {}))
  await send('POST', `${session}/timeouts`, { script: 60_000, pageLoad: 60_000 })
  const complaints: string[] = []
  const ask = async <Value>(body: string): Promise<Value> => {
    const script = `const done = arguments[0]; (async () => { ${body} })().then((value) => done(JSON.stringify({ value })), (error) => done(JSON.stringify({ error: String(error) })))`
    const answer = await send<string>('POST', `${session}/execute/async`, { script, args: [] })
    const { value, error } = JSON.parse(answer) as { value: Value; error?: string }
    if (error !== undefined) throw new Error(error)
    return value
  }
  return {
    complaints,
    visit: (url) => send('POST', `${session}/url`, { url }),
    ask,
    resize: (width, height) => send('POST', `${session}/window/rect`, { width, height }),
    shownText: () => ask('return document.body.innerText'),
  }
}
