import { SECOND } from '#contract/platform/durations.ts'
import type { Product } from './start-product.ts'

export type SampleAccount = { email: string; password: string }

/**
 * Returns a sample account that a demo prints at startup. Waits for it, because on a busy machine, the product is ready
 * before its output arrives.
 */
export async function sampleAccount(
  product: Pick<Product, 'output'>,
  title: 'admin' | 'member',
): Promise<SampleAccount> {
  const line = new RegExp(`^ +${title} +(\\S+@\\S+) +(\\S+)`, 'm')
  const end = performance.now() + 20 * SECOND
  for (;;) {
    const [, email, password] = line.exec(product.output()) ?? []
    if (email !== undefined && password !== undefined) return { email, password }
    if (performance.now() > end) throw new Error(`there is no sample ${title}`)
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}
