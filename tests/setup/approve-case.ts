import type { Page } from 'playwright-core'
import { defaultAppId } from '#contract/people/apps.ts'
import type { KycCaseDetail } from '#contract/people/kyc-review.ts'
import type { Product } from './start-product.ts'
import type { wordsOf } from './words.ts'

type Post = (path: string, body: unknown, headers: Record<string, string>) => Promise<Response>

/** A reviewer views and accepts every photo, reads the screening result, and approves, using only the API. */
export async function approveCase(
  { url, post }: Pick<Product, 'url'> & { post: Post },
  id: string,
  officer: Record<string, string>,
): Promise<void> {
  const of = `admin/kyc/cases/${id}`
  const require = async (answer: Response) => {
    if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status} ${await answer.text()}`)
    return answer
  }
  const headers = { 'x-app-id': defaultAppId, ...officer }
  const read = async (path: string) => require(await fetch(`${url}/v2/${path}`, { headers }))
  const shown = await read(of)
  const { photos, round, screening } = (await shown.json()) as KycCaseDetail
  for (const { n } of photos) {
    await read(`kyc/${id}/photos/${n}`)
    await require(await post(`${of}/photos/${n}`, { verdict: 'accepted', round }, officer))
  }
  await require(await post(`${of}/screening`, { hash: screening.hash }, officer))
  await require(await post(`${of}/decide`, { status: 'approved' }, officer))
}

/** The same on the page of an open case with at least one photo. */
export async function approveOnPage(
  page: Page,
  t: ReturnType<typeof wordsOf>,
  { name, photos }: { name: string; photos: number },
): Promise<void> {
  for (let n = 1; n <= photos; n += 1) {
    await page.getByRole('heading', { name: t('review.photo.of', { number: n, count: photos }) }).waitFor()
    await page.getByRole('button', { name: t('review.photo.accept') }).click()
  }
  const read = page.getByRole('button', { name: t('review.screening.read'), exact: true })
  await read.click()
  // The updated status moves the form below it.
  await read.waitFor({ state: 'detached' })
  await page.getByRole('radio').first().check()
  const approve = page.getByRole('button', { name: t('review.approve.do') })
  await approve.click()
  await page
    .getByRole('dialog', { name: t('review.confirm.approve', { name }) })
    .getByRole('button', { name: t('review.confirm.approve.do', { name }) })
    .click()
  await page.getByText(t('review.done.approved')).waitFor()
}
