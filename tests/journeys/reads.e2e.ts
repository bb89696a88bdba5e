import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { aVisitor } from '#tests/setup/browser.ts'
import { copyTemplate, dropDatabase } from '#tests/setup/database-copy.ts'
import { languagesUnderTest } from '#tests/setup/languages-under-test.ts'
import { startProduct } from '#tests/setup/start-product.ts'
import { removeTemporary } from '#tests/setup/temporary.ts'
import { wordsOf } from '#tests/setup/words.ts'

/** A browser that doesn't say that it is controlled by a test. */
const userAgent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/148.0.0.0 Safari/537.36'

test.each(languagesUnderTest('cn'))(
  'counts pages and links that a reader opens, and stores the counts before the program stops (%s)',
  async (language) => {
    const databaseUrl = await copyTemplate()
    onTestFinished(() => dropDatabase(databaseUrl))
    const product = await startProduct({ settings: { DATABASE_URL: databaseUrl } })
    onTestFinished(() => removeTemporary(product.dataDir))
    const { page, context } = await aVisitor(product.url, { userAgent })
    await context.addCookies([{ name: 'language', value: language, url: product.url }])
    await page.goto('/')
    await page.goto('/?campaign=1')
    const announced = page.waitForResponse((response) => response.request().method() === 'HEAD')
    await page
      .getByRole('navigation')
      .getByRole('link', { name: wordsOf(language)('layout.nav.project'), exact: true })
      .first()
      .click()
    expect(new URL((await announced).url()).pathname).toBe('/project')
    // A search stays on its page.
    await page
      .getByRole('link', { name: wordsOf(language)('layout.nav.news'), exact: true })
      .first()
      .click()
    const heads: string[] = []
    await page.getByRole('searchbox').waitFor()
    page.on('request', (request) => void (request.method() === 'HEAD' && heads.push(request.url())))
    await page.getByRole('searchbox').fill('secret words')
    await page.keyboard.press('Enter')
    await page.waitForURL(/q=secret/)
    expect(heads).toEqual([])
    await fetch(`${product.url}/help`, { headers: { 'user-agent': 'Googlebot/2.1' } })
    expect(await product.stop()).toBe(0)
    const client = new pg.Client({ connectionString: databaseUrl })
    await client.connect()
    const { rows } = await client.query(
      'select kind, item, language, referrer, reads from read_count order by item',
    )
    await client.end()
    const common = { kind: 'page', language, referrer: '', reads: 1 }
    expect(rows).toEqual([
      { ...common, item: '/' },
      { ...common, item: '/news' },
      { ...common, item: '/project' },
    ])
    expect(product.output()).not.toMatch(/Chrome|127\.0\.0\.1/)
  },
)
