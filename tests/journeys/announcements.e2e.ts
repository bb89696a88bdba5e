import { expect, onTestFinished, test } from 'vitest'
import { storageKey } from '#content/brand.json'
import { acceptedConsents, goodPassword } from '#tests/builders.ts'
import { aVisitor } from '#tests/setup/browser.ts'
import { chooseAdministratorPassword } from '#tests/setup/a-publisher.ts'
import { startOnCopy } from '#tests/setup/start-product.ts'
import { removeTemporary } from '#tests/setup/temporary.ts'
import { wordsOf } from '#tests/setup/words.ts'
import { languagesUnderTest } from '#tests/setup/languages-under-test.ts'

const adminEmail = 'editor@example.org'

test('an administrator publishes, and a visitor without script reads it within a second', async () => {
  const product = await startOnCopy({ ADMIN_EMAILS: adminEmail, STAFF_SECOND_FACTOR: 'optional' })
  onTestFinished(async () => {
    expect(await product.stop()).toBe(0)
    await removeTemporary(product.dataDir)
  })
  await product.post('members/create', {
    email: adminEmail,
    password: goodPassword,
    consents: acceptedConsents,
  })
  const [mail] = await product.mailsTo(adminEmail)

  for (const [n, language] of languagesUnderTest('en').entries()) {
    const t = wordsOf(language)
    const { page } = await aVisitor(product.url, { locale: language === 'cn' ? 'zh-CN' : 'en-US' })
    await page.context().addCookies([{ name: 'language', value: language, url: product.url }])
    await page.addInitScript(([key, code]) => localStorage.setItem(key, code), [
      storageKey,
      language,
    ] as const)
    if (n === 0) {
      await page.goto(/https?:\S+activate\S+/.exec(mail!.text)![0])
      await page.getByRole('button', { name: t('login.activate.submit'), exact: true }).click()
      await page.waitForURL('**/login/signin')
      await chooseAdministratorPassword(product, adminEmail)
    } else await page.goto('/login/signin')
    await page.getByLabel(t('forms.email.label'), { exact: true }).fill(adminEmail)
    await page.getByLabel(t('login.signin.password.label'), { exact: true }).fill(goodPassword)
    await page.getByRole('button', { name: t('login.signin.submit') }).click()
    await page.waitForURL('**/account/account-details')

    await page.goto('/news')
    await expect.poll(() => page.getByRole('main').textContent()).toContain(t('news.empty'))
    await page.getByRole('button', { name: t('news.create') }).click()
    await page.getByLabel(t('news.form.title')).fill(`First post ${language}`)
    await page.getByRole('textbox', { name: t('news.form.content') }).fill('Hello <script>alert(1)</script>')
    await page.getByLabel(t('news.form.category'), { exact: true }).selectOption('Events')
    await page.getByRole('button', { name: t('news.form.publish'), exact: true }).click()
    await expect
      .poll(() => page.getByRole('article').first().textContent())
      .toContain(`First post ${language}`)

    const cookie = { name: 'language', value: language }
    const readNews = async () =>
      (await fetch(`${product.url}/news`, { headers: { cookie: `${cookie.name}=${cookie.value}` } })).text()
    // On a busy machine, loading the page ten times takes about a second.
    const begun = performance.now()
    await readNews()
    const timeout = Math.max(1000, 10 * (performance.now() - begun))
    await expect.poll(readNews, { timeout, interval: 100 }).toContain(`First post ${language}`)
    const reader = await aVisitor(product.url, { javaScriptEnabled: false })
    await reader.context.addCookies([{ ...cookie, url: product.url }])
    await reader.page.goto('/news')
    expect(await reader.page.getByRole('main').textContent()).toContain(`First post ${language}`)
    expect(await reader.page.content()).not.toContain('<script>alert(1)')
  }
})
