import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { aVisitor } from '#tests/setup/browser.ts'
import { join, signIn } from '#tests/setup/sign-in.ts'
import { startOnCopy, startProduct } from '#tests/setup/start-product.ts'
import { removeTemporary } from '#tests/setup/temporary.ts'
import { wordsOf } from '#tests/setup/words.ts'

const run = promisify(execFile)

/** A shared machine may be slow, so the timeout is generous. */
const soon = { timeout: 30_000 }

test(
  'maintenance makes two instances read-only, with a notice on pages and a form that keeps what was typed',
  { tags: ['nightly'] },
  async () => {
    const first = await startOnCopy({})
    onTestFinished(async () => {
      expect(await first.stop()).toBe(0)
      await removeTemporary(first.dataDir)
    })
    const settings = { DATABASE_URL: first.databaseUrl }
    const second = await startProduct({ dataDir: first.dataDir, settings })
    onTestFinished(async () => {
      expect(await second.stop()).toBe(0)
    })
    const admin = (...args: string[]) =>
      run(process.execPath, ['scripts/run.mjs', 'admin', ...args], {
        env: { ...process.env, ...settings, NODE_ENV: 'development', DATA_DIR: first.dataDir },
      })
    const htmlOf = async (url: string, path = '/') => (await fetch(url + path)).text()
    const t = wordsOf('en')
    const notice = t('errors.maintenance_page')
    const { page: visitor } = await aVisitor(second.url)
    await visitor.goto('/contact')
    await visitor.getByLabel(t('contact.email')).fill('visitor@people.example')
    const text = visitor.getByLabel(t('contact.text'))
    await text.fill('How do I begin?')
    const { page: member } = await aVisitor(second.url)
    const email = await join(second)
    await signIn(member, 'en', email)

    const { stdout } = await admin('maintenance', 'on')
    expect(stdout).toContain('Maintenance is on. No change is in progress.')
    for (const { url } of [first, second]) {
      for (const path of ['/', '/cn/', '/account', '/console']) {
        const answer = await fetch(url + path)
        expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store'])
        expect(await answer.text()).toContain('id="outage"')
      }
      expect(await htmlOf(url)).toContain(notice)
      expect((await fetch(`${url}/v2/ready`)).status).toBe(200)
      const refused = await fetch(`${url}/newsletter/one-click/x`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'List-Unsubscribe=One-Click',
      })
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '60'])
    }
    await visitor.getByRole('button', { name: t('contact.send') }).click()
    await expect
      .poll(() => visitor.getByRole('alert').allTextContents(), soon)
      .toContainEqual(expect.stringContaining('Nothing was saved'))
    expect(await text.inputValue()).toBe('How do I begin?')
    // The session is renewed, and the account can be read.
    await member.goto('/account/user-info')
    await member.getByText(email).first().waitFor(soon)
    expect(await member.locator('#outage').textContent()).toBe(notice)

    await admin('maintenance', 'off')
    await expect.poll(async () => (await htmlOf(second.url)).includes(notice), { timeout: 1000 }).toBe(false)
  },
)
