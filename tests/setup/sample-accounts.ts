import type { Product } from './start-product.ts'

export type SampleAccount = { email: string; password: string }

/** Returns an account that a product started as a demo prints for signing in. */
export function sampleAccount(product: Pick<Product, 'output'>, title: 'admin' | 'member'): SampleAccount {
  const [, email, password] = new RegExp(`^ +${title} +(\\S+@\\S+) +(\\S+)`, 'm').exec(product.output()) ?? []
  if (email === undefined || password === undefined) throw new Error(`there is no sample ${title}`)
  return { email, password }
}
