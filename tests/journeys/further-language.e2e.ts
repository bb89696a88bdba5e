import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { SECOND } from '#contract/platform/durations.ts'
import { copyOfTree } from '#tests/setup/copy-of-tree.ts'
import { copyTemplate, dropDatabase } from '#tests/setup/database-copy.ts'
import { freePort } from '#tests/setup/start-product.ts'
import { makeTemporary, removeTemporary } from '#tests/setup/temporary.ts'

const root = join(import.meta.dirname, '../..')

/** A copy of this tree with its build, as an operator has it after the first start. */
function builtTree(): string {
  const tree = copyOfTree()
  cpSync(join(root, 'dist'), join(tree, 'dist'), { recursive: true })
  return tree
}

/** The two steps of the guide: one line in the list, and a folder with the translations so far. */
function addSpanish(tree: string): void {
  const list = join(tree, 'content/languages.json')
  const languages = JSON.parse(readFileSync(list, 'utf8')) as object
  const es = { name: 'Español', tag: 'es', locale: 'es-ES', prefix: '/es' }
  writeFileSync(list, JSON.stringify({ ...languages, es }))
  const folder = join(tree, 'content/messages/es')
  mkdirSync(folder)
  const words = {
    'layout.language.partial': 'Este sitio aún no está traducido del todo.',
    'layout.language.offer': 'Este sitio está disponible en español.',
    'layout.language.accept': 'Cambiar a español',
  }
  writeFileSync(join(folder, 'layout.json'), JSON.stringify(words))
}

/** Runs `npm start` in the tree. `ended` is its exit code, or undefined while it is running. */
async function npmStart(tree: string) {
  const databaseUrl = await copyTemplate()
  const dataDir = await makeTemporary('further-language')
  const url = `http://localhost:${await freePort()}`
  const { PATH, HOME } = process.env
  const npm = spawn('npm', ['start', '--silent'], {
    cwd: tree,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH,
      HOME,
      LOG_LEVEL: 'error',
      DEMO_WORLD: 'off',
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      PORT: new URL(url).port,
    },
  })
  let output = ''
  let ended: number | null | undefined
  for (const stream of [npm.stdout, npm.stderr])
    stream.on('data', (text: Buffer) => (output += text.toString()))
  const end = new Promise<void>((resolve) => {
    npm.once('exit', (code) => {
      ended = code
      resolve()
    })
  })
  onTestFinished(async () => {
    npm.kill('SIGTERM')
    await end
    await dropDatabase(databaseUrl)
    await removeTemporary(dataDir)
  })
  const isReady = () =>
    fetch(`${url}/v2/ready`).then(
      (answer) => answer.ok,
      () => false,
    )
  const outcome = async () => (ended !== undefined || (await isReady()) ? 'over' : 'waiting')
  await expect.poll(outcome, { timeout: 180 * SECOND }).toBe('over')
  return { url, output: () => output, ended: () => ended }
}

test(
  'a language added by the handbook is on the site after npm start, over the build from before',
  { tags: ['nightly'] },
  async () => {
    const tree = builtTree()
    addSpanish(tree)
    const { url, output, ended } = await npmStart(tree)
    expect(ended(), output()).toBeUndefined()
    expect(output()).toContain('Building the site')
    const page = await fetch(`${url}/es`)
    expect(page.status).toBe(200)
    const html = await page.text()
    expect(html).toMatch(/<html[^>]* lang="es"/)
    expect(html).toContain('Este sitio aún no está traducido del todo.')
    expect((await fetch(`${url}/es/llms.txt`)).status).toBe(200)
  },
)

test('a mistake in the emails of a language stops the start, although the content was checked before', async () => {
  const tree = builtTree()
  const emails = join(tree, 'content/emails/cn.json')
  const texts = JSON.parse(readFileSync(emails, 'utf8')) as { activation: { after: string[] } }
  texts.activation.after = ['{password}']
  writeFileSync(emails, JSON.stringify(texts))
  const { output, ended } = await npmStart(tree)
  expect(ended(), output()).toBe(1)
  expect(output()).toContain('content/emails/cn.json: activation')
})
