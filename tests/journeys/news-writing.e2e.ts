import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import films from '#content/facts/films.json'
import type { Announcement } from '#contract/publishing/announcements.ts'
import { defaultAppId } from '#contract/people/apps.ts'
import type { Language } from '#contract/platform/fields.ts'
import { aPicture } from '#tests/builders.ts'
import { aPublisher, makePublisher, publisherSettings } from '#tests/setup/a-publisher.ts'
import { startOnCopy, type Product } from '#tests/setup/start-product.ts'
import { removeTemporary } from '#tests/setup/temporary.ts'
import { wordsOf } from '#tests/setup/words.ts'
import { languagesUnderTest } from '#tests/setup/languages-under-test.ts'

const film = `/assets/films/${films[0]!.file}.mp4`

let product: Product
beforeAll(async () => {
  product = await startOnCopy(publisherSettings)
  await makePublisher(product)
})
afterAll(async () => {
  expect(await product.stop()).toBe(0)
  await removeTemporary(product.dataDir)
})

async function latest(language: Language): Promise<Announcement> {
  const answer = await fetch(`${product.url}/v2/announcements/${language}`, {
    headers: { 'x-app-id': defaultAppId },
  })
  return ((await answer.json()) as Announcement[])[0]!
}

async function openForm(page: Page, language: Language, title: string) {
  const t = wordsOf(language)
  await page.getByRole('button', { name: t('news.create') }).click()
  await page.getByLabel(t('news.form.title')).fill(title)
  await page.getByLabel(t('news.form.category'), { exact: true }).selectOption('Events')
  const text = page.getByRole('textbox', { name: t('news.form.content') })
  await text.waitFor()
  return { t, text, toolbar: page.getByRole('toolbar') }
}

const publish = async (page: Page, language: Language, title: string) => {
  await page.getByRole('button', { name: wordsOf(language)('news.form.publish'), exact: true }).click()
  await page.getByRole('article').filter({ hasText: title }).first().waitFor()
}

/** The editor takes the focus back in the next frame, sooner than a person can type. */
const settled = (page: Page) =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 40))))

/** Formatting buttons, the HTML that each writes, and whether it formats the whole block. */
const formats = [
  ['editor.bold', '<strong>word</strong>'],
  ['editor.italic', '<em>word</em>'],
  ['editor.underline', '<u>word</u>'],
  ['editor.strike', '<s>word</s>'],
  ['editor.code', '<code>word</code>'],
  ['editor.subscript', '<sub>word</sub>'],
  ['editor.superscript', '<sup>word</sup>'],
  ['editor.indent', '<p class="ql-indent-1">word</p>'],
  ['editor.rightToLeft', '<p dir="rtl">word</p>'],
] as const
const choices = [
  ['editor.size', 'huge', '<span class="ql-size-huge">word</span>'],
  ['editor.font', 'serif', '<span class="ql-font-serif">word</span>'],
  ['editor.color', 'red', '<span class="ql-color-red">word</span>'],
  ['editor.background', 'yellow', '<span class="ql-bg-yellow">word</span>'],
  ['editor.align', 'center', '<p class="ql-align-center">word</p>'],
  ['editor.block', '1', '<h1>word</h1>'],
  ['editor.block', '3', '<h3>word</h3>'],
  ['editor.block', '6', '<h6>word</h6>'],
] as const
const blocks = [
  ['editor.quote', '<blockquote><p>word</p></blockquote>'],
  ['editor.bullets', '<ul><li><p>word</p></li></ul>'],
  ['editor.numbers', '<ol><li><p>word</p></li></ol>'],
  ['editor.codeBlock', '<pre><code>word</code></pre>'],
] as const

test.each(languagesUnderTest('en'))(
  'in %s every format of the toolbar survives saving, reading and editing',
  { tags: ['nightly'] },
  async (language) => {
    const page = await aPublisher(product, language)
    const title = `Every format ${language}`
    const { t, text, toolbar } = await openForm(page, language, title)
    const press = async (label: Parameters<typeof t>[0]) => {
      await toolbar.getByRole('button', { name: t(label), exact: true }).click()
      await settled(page)
    }
    // Resets the line to plain text, whatever the previous one was.
    const goOn = async () => {
      await page.keyboard.press('Enter')
      await press('editor.clear')
    }
    await text.focus()
    for (const [label] of formats) {
      await press(label)
      await page.keyboard.type('word')
      await goOn()
    }
    for (const [label, value] of choices) {
      await toolbar.getByRole('combobox', { name: t(label), exact: true }).selectOption(value)
      await settled(page)
      await page.keyboard.type('word')
      await goOn()
    }
    for (const [label] of blocks) {
      await press(label)
      await page.keyboard.type('word')
      // Leaves the block: Enter twice, three times in a code block.
      for (let n = 0; n < (label === 'editor.codeBlock' ? 3 : 2); n += 1) await page.keyboard.press('Enter')
    }
    await toolbar.getByRole('button', { name: t('editor.link'), exact: true }).click()
    await page.getByLabel(t('editor.address'), { exact: true }).fill('example.com/a?b=1')
    await page.keyboard.press('Enter')
    await goOn()
    await toolbar.getByRole('button', { name: t('editor.film'), exact: true }).click()
    await page.getByLabel(t('editor.address'), { exact: true }).fill(film)
    await page.keyboard.press('Enter')
    await publish(page, language, title)

    const stored = await latest(language)
    for (const [, html] of [...formats, ...blocks]) expect(stored.content).toContain(html)
    for (const [, , html] of choices) expect(stored.content).toContain(html)
    expect(stored.content).toContain('href="https://example.com/a?b=1"')
    expect(stored.content).toContain(`<video src="${film}"`)

    await page.reload()
    await page
      .getByRole('button', { name: t('news.edit') })
      .first()
      .click()
    await text.waitFor()
    await text.focus()
    await page.keyboard.press('Control+Home')
    await page.keyboard.type('x')
    await page.keyboard.press('Backspace')
    await page.getByRole('button', { name: t('news.form.save'), exact: true }).click()
    await expect.poll(async () => (await latest(language)).lastEdited).not.toBeNull()
    expect((await latest(language)).content).toBe(stored.content)
  },
)

test.each(languagesUnderTest('cn'))(
  'in %s a picture is pasted, described, stored and shown',
  async (language) => {
    const page = await aPublisher(product, language)
    const title = `A picture ${language}`
    const { t, text } = await openForm(page, language, title)
    await text.focus()
    const dataUrl = await aPicture('png', { width: 700, height: 500 })
    await page.evaluate(
      (base64) => {
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.codePointAt(0)!)
        const data = new DataTransfer()
        data.items.add(new File([bytes], 'node.png', { type: 'image/png' }))
        document.activeElement!.dispatchEvent(
          new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
        )
      },
      dataUrl.slice(dataUrl.indexOf(',') + 1),
    )
    const insert = page.getByRole('button', { name: t('editor.insert'), exact: true })
    await insert.click()
    expect(await page.getByText(t('editor.picture.altNeeded')).count()).toBe(1)
    await page.getByLabel(t('editor.picture.alt')).fill('A node')
    await insert.click()
    await text.getByRole('img', { name: 'A node' }).waitFor()
    await publish(page, language, title)
    const shown = page.getByRole('article').getByRole('img', { name: 'A node' }).first()
    await expect
      .poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(0)
    const { content } = await latest(language)
    expect(content).toMatch(/srcset="[^"]+ 480w, [^"]+ 700w"/)
  },
)

test('text pasted from Word and the web loses its foreign formatting', async () => {
  const page = await aPublisher(product, 'en')
  const { text } = await openForm(page, 'en', 'Pasted')
  await text.focus()
  await page.evaluate(() => {
    const data = new DataTransfer()
    data.setData(
      'text/html',
      '<html xmlns:o="x"><head><style>p{color:red}</style></head><body><!--StartFragment--><p class="MsoNormal" style="margin:0">' +
        '<b>Bold</b><o:p></o:p> and <span style="color:#f00;font-size:40pt">loud</span><img src="https://e.example/x.png" onerror="alert(1)">' +
        '<script>alert(1)</script><a href="javascript:alert(1)">bad</a> <a href="https://example.com/">good</a></p><!--EndFragment--></body></html>',
    )
    document.activeElement!.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
    )
  })
  await publish(page, 'en', 'Pasted')
  const { content } = await latest('en')
  expect(content).toContain('<p><strong>Bold</strong> and loudbad <a ')
  expect(content).toContain(' href="https://example.com/"')
  expect(content).not.toMatch(/style|Mso|img|alert|javascript/)
})

test('composing Chinese with an input method works, in bold too', async () => {
  const page = await aPublisher(product, 'cn')
  const { t, text, toolbar } = await openForm(page, 'cn', '输入法')
  await text.focus()
  const session = await page.context().newCDPSession(page)
  const compose = async (steps: string[], end: string) => {
    for (const step of steps)
      await session.send('Input.imeSetComposition', {
        text: step,
        selectionStart: step.length,
        selectionEnd: step.length,
      })
    await session.send('Input.insertText', { text: end })
  }
  await compose(['j', 'ji', 'jie', 'jie d'], '节点')
  await toolbar.getByRole('button', { name: t('editor.bold'), exact: true }).click()
  await settled(page)
  await compose(['f', 'fa', 'fa b'], '发布')
  await publish(page, 'cn', '输入法')
  expect((await latest('cn')).content).toBe('<p>节点<strong>发布</strong></p>')
})

test('the toolbar is one tab stop, and the arrow keys move within it', async () => {
  const page = await aPublisher(product, 'en')
  const { t, text, toolbar } = await openForm(page, 'en', 'Keys')
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
  await text.focus()
  await page.keyboard.press('Shift+Tab')
  expect(await focused()).toBe(t('editor.block'))
  await page.keyboard.press('ArrowLeft')
  expect(await focused()).toBe(t('editor.redo'))
  await page.keyboard.press('Home')
  expect(await focused()).toBe(t('editor.block'))
  expect(await toolbar.locator('[tabindex="0"]').count()).toBe(1)
  await page.keyboard.press('Tab')
  expect(await focused()).toBe(t('news.form.content'))
})
